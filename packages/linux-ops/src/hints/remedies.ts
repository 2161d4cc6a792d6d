import type { Advice, Remedy, Words } from "@llmc/errors";

type Facts<Id extends Remedy["id"]> = Extract<Remedy, { readonly id: Id }>;

/** Every remedy in the words of these tools: their names, arguments and settings. */
const WORDING: { readonly [Id in Remedy["id"]]: (facts: Facts<Id>) => string | Words } = {
  several: ({ of }) => of.map(hintOf).join(" "),
  "did-you-mean": ({ names, arguments: known }) => {
    const meant = names.length === 0 ? [] : [`Did you mean ${names.join(", ")}?`];
    return [...meant, ...(known === undefined ? [] : [`Arguments: ${known.join(", ") || "none"}.`])].join(" ");
  },
  "count-from-the-end": ({ argument }) => `For the last lines pass ${argument} instead.`,
  "ask-for-less": () => "Ask for less, or raise mcp.tools.read_timeout.",
  "confirm-otherwise": () =>
    'The operator can set mcp.tools.confirm to "auto" or "never", or use a client with elicitation.',
  "record-calls": () => "The operator can change mcp.observability.enabled.",

  "inside-roots": ({ roots }) =>
    `Use a path inside ${namedRoots(roots)}; the operator adds roots with --root or roots.allowed_roots.`,
  "configure-roots": () =>
    "Start the server with --root DIR, or set LLMC_ROOTS or mcp.linux_ops.roots.allowed_roots (LLMC_ROOT is no root).",

  "read-as-base64": () => 'Read it with encoding: "base64".',
  "read-again": ({ sha256 }) =>
    sha256 === undefined
      ? "Read it again, then try once more."
      : `Read it again; to go ahead all the same pass expected_sha256: "${sha256}".`,
  "expect-content": ({ path, sha256 }) => ({
    message: `${path} is not the file that expected_sha256 names`,
    hint: `Read it again; to go ahead pass expected_sha256: "${sha256}".`,
  }),
  "text-to-replace": ({ edit, counts, advice }) => ({
    message: `${edit === undefined ? "" : `edits[${edit}]: `}old_text ${counts}`,
    hint: hintOf(advice),
  }),

  "list-processes": () => "linux.proc_list shows what runs.",
  "list-own-processes": () => "linux.proc_sessions lists those that it has.",
  "signal-below": () => "linux.proc_tree shows what runs below it, which may be.",
  "signal-other-users": () => "The operator can set mcp.linux_ops.process_limits.allow_kill_other_users.",
  "pid-of-thread": ({ pid }) => `${pid} is a thread of another process; linux.proc_list has pids.`,
  "pid-reused": ({ startTicks }) => `Another process has that pid now: it started later than start_id ${startTicks}.`,
  "end-own-process": ({ ids }) =>
    `End one with linux.proc_stop${ids.length === 0 ? "" : ` (${ids.join(", ")})`}; the operator can raise mcp.linux_ops.process_limits.max_procs_per_session.`,
  "wait-for-processes": () => "Try again later; the operator can raise mcp.linux_ops.process_limits.max_procs_total.",
  "start-with-input": () => "linux.proc_start gives a program one.",
  "read-or-end": () => "Read its output, or end it with linux.proc_stop.",
  "simpler-awaited": ({ ms }) => ({
    message: `wait_for took more than ${ms} ms to match`,
    hint: "Write it without nested repetition, or as a plain text.",
  }),
  "awaited-as-text": ({ problem }) => ({
    message: `wait_for is no regular expression: ${problem}`,
    hint: "Without the slashes it is taken as a plain text.",
  }),

  "look-at-machine": () => "Try again later, or look at the machine: linux.sys_snapshot {}.",
  "list-services": () => "linux.sys_services {} lists what there is.",
  "processes-instead": () => "What runs is told by linux.proc_list {} as well.",
  "processes-below": ({ pid }) => `What runs: linux.proc_tree {"pid":${pid}}.`,
  "ask-manager": ({ how }) => `${how}; what runs: linux.proc_list {}.`,
  "services-without-log": () => "linux.sys_services {} tells of the services without it.",
  "read-log-files": () =>
    "Logs of programs are files as well: linux.fs_read, or linux.search_content under /var/log where that is a root.",
  "narrower-log": () => "Ask for less: a unit, a shorter time (since), or no grep.",
  "swap-times": () => ({ message: "since is later than until", hint: "Swap them." }),
  "cursor-as-given": () => ({
    message: "cursor is none that linux.sys_logs gave",
    hint: 'Pass one as it came, or since, such as "1h".',
  }),
  "time-instead": () => 'Pass since instead, such as "1h".',
};

/** The words for a remedy, with a message where the failure's own cannot name what the caller wrote. */
export function wordsOf(remedy: Remedy): Words {
  const word = WORDING[remedy.id] as (facts: Remedy) => string | Words;
  const words = word(remedy);
  return typeof words === "string" ? { hint: words } : words;
}

/** The hint that a caller reads. */
export function hintOf(advice: Advice): string {
  return typeof advice === "string" ? advice : wordsOf(advice).hint;
}

const SHOWN_ROOTS = 3;

/** The roots are no secret: the server tells them to every client that connects. */
function namedRoots(roots: readonly string[]): string {
  const more = roots.length - SHOWN_ROOTS;
  const shown = roots
    .slice(0, SHOWN_ROOTS)
    .map((root) => (/^[\p{L}\p{N}/._ -]+$/u.test(root) ? root : JSON.stringify(root)));
  return `${shown.join(", ")}${more > 0 ? ` or ${more} more` : ""}`;
}
