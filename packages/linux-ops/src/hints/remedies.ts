import type { Advice, CommandList, MachineTopic, Remedy, Words } from "@llmc/errors";

type Facts<Id extends Remedy["id"]> = Extract<Remedy, { readonly id: Id }>;

/** Words each remedy with the names of the linux.* tools, their arguments and the settings. */
const WORDING: { readonly [Id in Remedy["id"]]: (facts: Facts<Id>) => string | Words } = {
  several: ({ of }) => of.map(hintOf).join(" "),
  "did-you-mean": ({ names, arguments: known }) => {
    const meant = names.length === 0 ? [] : [`Did you mean ${names.join(", ")}?`];
    return [...meant, ...(known === undefined ? [] : [`Arguments: ${known.join(", ") || "none"}.`])].join(" ");
  },
  "use-tool": ({ tool }) => `Use ${tool}.`,
  "count-from-the-end": ({ argument, count }) =>
    `For the last lines pass ${argument}${count === undefined ? "" : `: ${count}`} instead.`,
  "ask-for-less": () => "Ask for less, or raise mcp.tools.read_timeout.",
  "confirm-otherwise": () =>
    'The operator can set mcp.tools.confirm to "auto" or "never", or use a client with elicitation.',
  "record-calls": () => "The operator can change mcp.observability.enabled.",

  "inside-roots": ({ roots }) =>
    `Use a path inside ${namedRoots(roots)}; the operator adds roots with --root or roots.allowed_roots.`,
  "configure-roots": () =>
    "Start the server with --root DIR, or set LLMC_ROOTS or mcp.linux_ops.roots.allowed_roots (LLMC_ROOT is not a root).",

  "list-folder": () => "List it with linux.fs_list, or name a file in it.",
  "write-new-file": () => "To make a file use linux.fs_write.",
  "create-parents": () => "Leave out create_parents: false, and it is made.",
  "create-target-folder": () => "Make that folder with linux.fs_mkdirs.",
  "accept-existing": () => "Leave out exist_ok: false if what is there will do.",
  overwrite: () => "Pass overwrite: true to replace it.",
  "delete-recursively": () => "Pass recursive: true to delete it with all it holds.",
  "fewer-backups": () => "Remove old backups, or leave out backup.",
  "free-space": () => "Free some space (linux.fs_delete does even now), then try again.",
  "leave-credentials": ({ entry }) => `It holds credentials (${entry} in roots.deny).`,
  "open-credentials": ({ entry }) => `The operator can take ${entry} out of roots.deny, or make it a root.`,
  "allow-exec-config": ({ name }) =>
    `${name} is write-protected because other programs run what is in it. The operator can allow it: roots.allow_exec_config = true.`,

  "look-by-command": () => "See what it is with run_cmd: file, or od -c.",
  "read-again": () => "Read it again, then try once more.",
  "expect-content": ({ path, sha256 }) => ({
    message: `${path} is not the file that expected_sha256 names`,
    hint: `Read it again; to go ahead pass expected_sha256: "${sha256}".`,
  }),
  "expect-content-of-file": ({ path }) => ({
    message: `expected_sha256 does not go with ${path}, which is not a file`,
    hint: "Leave it out.",
  }),
  "too-large-to-patch": () =>
    'Change it by a command (sed -i), add to its end with linux.fs_write mode: "append", or have the operator raise mcp.linux_ops.fs.max_patch_bytes.',
  "other-characters": () => "Write it in other characters, or write the whole file anew as UTF-8 with linux.fs_write.",
  "fewer-pages": ({ first, last }) => `Read a part of it: pages: "${first}-${last}".`,
  "patch-text-only": () => "Only text can be patched; linux.fs_delete, linux.fs_move and linux.fs_write take any file.",
  "write-binary": () => "Leave that part out, and write the file with linux.fs_write.",
  "copy-place": ({ line, lines, hunk }) =>
    `Read the place (linux.fs_read offset_lines: ${line - 1}, max_lines: ${lines}) and copy its lines into hunk ${hunk}.`,

  "give-an-edit": () => "Give old_text and new_text.",
  "fewer-replacements": ({ edit, most }) => ({
    message: `${inEdit(edit)}expected_replacements is above ${most}`,
    hint: "Send them in several calls.",
  }),
  "name-old-text": ({ edit }) => ({
    message: `${inEdit(edit)}old_text is empty`,
    hint: 'To insert, put the line beside the place into old_text and repeat it in new_text; to append, use linux.fs_write with mode: "append".',
  }),
  "change-something": ({ edit }) => ({
    message: `${inEdit(edit)}old_text and new_text are the same, so nothing would change`,
    hint: "Put into new_text what is to stand there, or leave the edit out.",
  }),
  "whole-characters": ({ edit, text }) => ({
    message: `${inEdit(edit)}${text}_text has half of a surrogate pair, which is not a character`,
    hint: "Send the whole character.",
  }),
  "text-to-replace": ({ edit, says, advice }) => ({
    message: `${edit === undefined ? "" : `edits[${edit}]: `}old_text ${says}`,
    hint: hintOf(advice),
  }),

  "longer-block": ({ expected, count }) => {
    const all = count === undefined ? "" : ` To change all ${count}, pass expected_replacements: ${count}.`;
    return `Add lines around it to old_text until it fits ${places(expected)}.${all}`;
  },
  "fewer-places": ({ count }) => `Pass expected_replacements: ${count} if no other place is meant.`,
  "copy-indentation": ({ line, endLine }) =>
    `Read ${readLines(line, endLine)} and send old_text and new_text with that indentation.`,
  "write-characters": ({ escapes }) => `Send the characters themselves instead of ${escapes}, in new_text as well.`,
  "edit-made-already": ({ lines }) =>
    `new_text is there already (line ${lines.join(", ")}): if the edit was made before, nothing is left to do.`,
  "text-beside-bytes": ({ line }) =>
    `Line ${line} holds bytes that are not text (shown as �), which old_text cannot name: use text beside them.`,
  "send-block": ({ quote }) => `Send what the file has there as old_text: ${quote}.`,
  "take-marked-lines": ({ hasTabs }) =>
    `In old_text, put the lines marked + in place of yours (-)${hasTabs ? " (→ is a tab)" : ""}.`,
  "copy-block": ({ line, endLine }) => `Read ${readLines(line, endLine)} and copy old_text from there.`,
  "write-whole-file": () => "The file is empty: write it with linux.fs_write.",
  "read-for-block": () => "Read the place with linux.fs_read, and send old_text as it stands there.",

  "shorter-timeout": ({ seconds, max }) =>
    seconds >= 1000 && Math.ceil(seconds / 1000) <= max
      ? `timeout is in seconds: for ${seconds} ms pass timeout: ${Math.ceil(seconds / 1000)}.`
      : "The operator can raise mcp.linux_ops.process_limits.max_timeout_sec.",
  "more-time": () => "timeout=SECONDS allows more",
  "come-back": ({ procId, waitMs }) =>
    `linux.proc_read ${JSON.stringify({ proc_id: procId, timeout_ms: waitMs })} waits for its end`,
  "keep-program": () => "linux.proc_start keeps a program",
  "allow-bash": ({ list }) =>
    `Give one program and its arguments as a list, or the operator adds bash to ${LISTS[list]}.`,
  "allowed-programs": ({ list, names, more }) =>
    names.length === 0
      ? `${LISTS[list]} allows nothing.`
      : `${LISTS[list]} allows ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  "allow-program": () => `The operator can name it in ${LISTS.programs}.`,
  "allow-program-or-sandbox": () =>
    `The operator can name it in ${LISTS.programs}, or turn the sandbox on (mcp.linux_ops.commands.sandbox).`,
  "allow-unsafe": ({ program }) => ({
    message: `Not allowed: ${program} is in mcp.linux_ops.commands.unsafe_binaries`,
    hint: "The operator can set mcp.linux_ops.commands.allow_unsafe.",
  }),
  "without-that-argument": () => "Leave that out, or the operator sets mcp.linux_ops.commands.allow_unsafe.",
  "pass-variable": () => "Leave it out, or the operator names it in mcp.linux_ops.commands.env_pass.",
  "commands-off": ({ why, fix }) => ({
    message: `Commands are off: ${why}`,
    hint: `${fix}, or set commands.sandbox = "off".`,
  }),
  "hide-host": () => "Run the server as that user, or the operator sets mcp.linux_ops.commands.host_view = false.",
  "see-health": () => "Try again.",
  "without-terminal": () =>
    "Start the program without pty, or install script (apt install bsdutils, dnf install util-linux-script, apk add util-linux-misc).",
  "open-to-sandbox": ({ place, folder, isByName, and }) => {
    const read = "mcp.linux_ops.commands.sandbox_read";
    const opens = isByName ? "mcp.linux_ops.commands.path_extra" : read;
    const more = and === undefined ? "" : ` and ${and} to ${read}`;
    return `${place} lies outside of the sandbox: the operator adds ${folder} to ${opens}${more}.`;
  },
  "does-not-last": (facts) => `${facts.builtin} does not last between commands: ${nextTime(facts)}`,
  "not-visible": ({ path, roots }) => `not visible to commands: ${path} (roots: ${namedRoots(roots)})`,
  "write-protected": ({ path }) => `${path} is write-protected (roots.allow_exec_config)`,
  "git-keys-refused": ({ keys }) =>
    `not kept in .git/config: ${namedKeys(keys)} (write-protected: roots.allow_exec_config)`,
  "no-docker-socket": () => "docker's socket is not in the sandbox (it would open the whole machine)",
  "needs-terminal": () =>
    "a full-screen program: start it with linux.proc_start and pty: true, read it with screen: true",
  "ask-the-machine": ({ about }) => `this saw the sandbox; use ${MACHINE[about]} for the machine`,
  "too-many-repositories": ({ folders, more, isOpenedInside }) =>
    `read-only for this command, because the roots hold too many repositories to guard each: ${folders.join(", ")}${more > 0 ? ` and ${more} more` : ""}${isOpenedInside ? " (a cwd in there opens it)" : ""}`,

  "search-names-instead": () => "Give some text to look for; linux.search_files finds files by name.",
  "match-several-lines": () => "Leave out multiline: false.",
  "write-newline": () => "Write the end of a line as \\n.",
  "match-single-lines": () => "Leave out multiline, or install ripgrep.",
  "search-as-text": () => "To search for the text itself pass literal: true.",
  "search-as-text-or-ripgrep": () => "Pass literal: true, or install ripgrep.",
  "type-or-glob": () => 'Types are ripgrep\'s: "ts", "py", "rust"; or pass a file_glob like "*.ext".',
  "escape-or-as-text": () =>
    "Write \\ in front of a character that stands for itself, or leave regex out to search for the text.",

  "list-processes": () => "linux.proc_list shows what runs.",
  "list-own-processes": () => "linux.proc_sessions lists those that it has.",
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
    message: `wait_for is not a valid regular expression: ${problem}`,
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
    message: "cursor is not one that linux.sys_logs gave",
    hint: 'Pass one as it came, or since, such as "1h".',
  }),
  "time-instead": () => 'Pass since instead, such as "1h".',
};

/** Returns the words for a remedy, with a message if that of the error cannot name the caller's argument. */
export function wordsOf(remedy: Remedy): Words {
  const word = WORDING[remedy.id] as (facts: Remedy) => string | Words;
  const words = word(remedy);
  return typeof words === "string" ? { hint: words } : words;
}

/** Returns the advice as text for the caller. */
export function hintOf(advice: Advice): string {
  return typeof advice === "string" ? advice : wordsOf(advice).hint;
}

const LISTS: Readonly<Record<CommandList, string>> = {
  programs: "mcp.linux_ops.commands.allowed_binaries",
  commands: "mcp.tools.run_cmd_allowlist",
};

const MACHINE: Readonly<Record<MachineTopic, string>> = {
  processes: "linux.proc_list",
  signals: "linux.proc_kill",
  services: "linux.sys_services",
  logs: "linux.sys_logs",
  state: "linux.sys_snapshot",
};

const SHOWN_KEYS = 5;

/** Quotes unusual keys, because a program may have made them up. */
function namedKeys(keys: readonly string[]): string {
  const shown = keys
    .slice(0, SHOWN_KEYS)
    .map((key) => (/^[\w./ ()-]{1,80}$/.test(key) ? key : JSON.stringify(key.slice(0, 80))));
  const more = keys.length - shown.length;
  return `${shown.join(", ") || "anything"}${more > 0 ? ` and ${more} more` : ""}`;
}

const MOST_CHARS = 300;

/** Tells how the next command gets the effect of a lone builtin. */
function nextTime({ builtin, line, folder, variables }: Facts<"does-not-last">): string {
  if (folder !== undefined) return `pass cwd: ${JSON.stringify(folder)}`;
  const env = JSON.stringify(variables);
  if (env !== undefined) return env.length > MOST_CHARS ? "pass env" : `pass env: ${env}`;
  if (builtin === "alias") return "write the command out";
  return `write ${line.length > MOST_CHARS ? builtin : line} && COMMAND in one line`;
}

/** Prefix of an argument if the call has several edits. */
function inEdit(edit: number | undefined): string {
  return edit === undefined ? "" : `edits[${edit}].`;
}

function places(expected: number): string {
  return expected === 1 ? "one place" : `${expected} places`;
}

function readLines(line: number, endLine: number): string {
  const lines = line === endLine ? `line ${line}` : `lines ${line}-${endLine}`;
  return `${lines} with linux.fs_read (offset_lines: ${line - 1}, max_lines: ${endLine - line + 1})`;
}

const SHOWN_ROOTS = 3;

/** Names the first roots. They are not secret, because the server tells every client its roots. */
function namedRoots(roots: readonly string[]): string {
  const more = roots.length - SHOWN_ROOTS;
  const shown = roots
    .slice(0, SHOWN_ROOTS)
    .map((root) => (/^[\p{L}\p{N}/._ -]+$/u.test(root) ? root : JSON.stringify(root)));
  return `${shown.join(", ")}${more > 0 ? ` or ${more} more` : ""}`;
}
