import type { Remedy, Words } from "@llmc/errors";
import { expect, test } from "vitest";
import { wordsOf } from "../../src/hints/remedies.js";

type Worded = readonly [remedy: Remedy, words: string | Words];
type WordedAs<Id> = readonly [remedy: Extract<Remedy, { readonly id: Id }>, words: string | Words];

/** At least one remedy of every id, with the words that a caller reads. */
const WORDED: { readonly [Id in Remedy["id"]]: WordedAs<Id> | readonly WordedAs<Id>[] } = {
  several: [
    { id: "several", of: ["It lies there.", { id: "list-processes" }] },
    "It lies there. linux.proc_list shows what runs.",
  ],
  "did-you-mean": [
    [{ id: "did-you-mean", names: ["linux.fs_read"] }, "Did you mean linux.fs_read?"],
    [
      { id: "did-you-mean", names: ["path", "depth"], arguments: ["path", "depth"] },
      "Did you mean path, depth? Arguments: path, depth.",
    ],
    [{ id: "did-you-mean", names: [], arguments: ["path"] }, "Arguments: path."],
    [{ id: "did-you-mean", names: [], arguments: [] }, "Arguments: none."],
  ],
  "count-from-the-end": [
    { id: "count-from-the-end", argument: "tail_lines" },
    "For the last lines pass tail_lines instead.",
  ],
  "ask-for-less": [{ id: "ask-for-less" }, "Ask for less, or raise mcp.tools.read_timeout."],
  "confirm-otherwise": [
    { id: "confirm-otherwise" },
    'The operator can set mcp.tools.confirm to "auto" or "never", or use a client with elicitation.',
  ],
  "record-calls": [{ id: "record-calls" }, "The operator can change mcp.observability.enabled."],

  "inside-roots": [
    [
      { id: "inside-roots", roots: ["/a b", "/c\nd"] },
      'Use a path inside /a b, "/c\\nd"; the operator adds roots with --root or roots.allowed_roots.',
    ],
    [
      { id: "inside-roots", roots: ["/a", "/b", "/c", "/d", "/e"] },
      "Use a path inside /a, /b, /c or 2 more; the operator adds roots with --root or roots.allowed_roots.",
    ],
  ],
  "configure-roots": [
    { id: "configure-roots" },
    "Start the server with --root DIR, or set LLMC_ROOTS or mcp.linux_ops.roots.allowed_roots (LLMC_ROOT is no root).",
  ],

  "read-as-base64": [{ id: "read-as-base64" }, 'Read it with encoding: "base64".'],
  "read-again": [
    [{ id: "read-again" }, "Read it again, then try once more."],
    [{ id: "read-again", sha256: "0f" }, 'Read it again; to go ahead all the same pass expected_sha256: "0f".'],
  ],
  "expect-content": [
    { id: "expect-content", path: "/a", sha256: "0f" },
    {
      message: "/a is not the file that expected_sha256 names",
      hint: 'Read it again; to go ahead pass expected_sha256: "0f".',
    },
  ],
  "text-to-replace": [
    [
      { id: "text-to-replace", counts: "occurs twice", advice: "Do." },
      { message: "old_text occurs twice", hint: "Do." },
    ],
    [
      { id: "text-to-replace", edit: 2, counts: "occurs twice", advice: { id: "read-again" } },
      { message: "edits[2]: old_text occurs twice", hint: "Read it again, then try once more." },
    ],
  ],

  "list-processes": [{ id: "list-processes" }, "linux.proc_list shows what runs."],
  "list-own-processes": [{ id: "list-own-processes" }, "linux.proc_sessions lists those that it has."],
  "signal-below": [{ id: "signal-below" }, "linux.proc_tree shows what runs below it, which may be."],
  "signal-other-users": [
    { id: "signal-other-users" },
    "The operator can set mcp.linux_ops.process_limits.allow_kill_other_users.",
  ],
  "pid-of-thread": [{ id: "pid-of-thread", pid: 7 }, "7 is a thread of another process; linux.proc_list has pids."],
  "pid-reused": [
    { id: "pid-reused", startTicks: 99 },
    "Another process has that pid now: it started later than start_id 99.",
  ],
  "end-own-process": [
    [
      { id: "end-own-process", ids: ["p_a", "p_b"] },
      "End one with linux.proc_stop (p_a, p_b); the operator can raise mcp.linux_ops.process_limits.max_procs_per_session.",
    ],
    [
      { id: "end-own-process", ids: [] },
      "End one with linux.proc_stop; the operator can raise mcp.linux_ops.process_limits.max_procs_per_session.",
    ],
  ],
  "wait-for-processes": [
    { id: "wait-for-processes" },
    "Try again later; the operator can raise mcp.linux_ops.process_limits.max_procs_total.",
  ],
  "start-with-input": [{ id: "start-with-input" }, "linux.proc_start gives a program one."],
  "read-or-end": [{ id: "read-or-end" }, "Read its output, or end it with linux.proc_stop."],
  "simpler-awaited": [
    { id: "simpler-awaited", ms: 50 },
    {
      message: "wait_for took more than 50 ms to match",
      hint: "Write it without nested repetition, or as a plain text.",
    },
  ],
  "awaited-as-text": [
    { id: "awaited-as-text", problem: "Unterminated group" },
    {
      message: "wait_for is no regular expression: Unterminated group",
      hint: "Without the slashes it is taken as a plain text.",
    },
  ],

  "look-at-machine": [{ id: "look-at-machine" }, "Try again later, or look at the machine: linux.sys_snapshot {}."],
  "list-services": [{ id: "list-services" }, "linux.sys_services {} lists what there is."],
  "processes-instead": [{ id: "processes-instead" }, "What runs is told by linux.proc_list {} as well."],
  "processes-below": [{ id: "processes-below", pid: 7 }, 'What runs: linux.proc_tree {"pid":7}.'],
  "ask-manager": [
    { id: "ask-manager", how: "rc-status lists its services" },
    "rc-status lists its services; what runs: linux.proc_list {}.",
  ],
  "services-without-log": [{ id: "services-without-log" }, "linux.sys_services {} tells of the services without it."],
  "read-log-files": [
    { id: "read-log-files" },
    "Logs of programs are files as well: linux.fs_read, or linux.search_content under /var/log where that is a root.",
  ],
  "narrower-log": [{ id: "narrower-log" }, "Ask for less: a unit, a shorter time (since), or no grep."],
  "swap-times": [{ id: "swap-times" }, { message: "since is later than until", hint: "Swap them." }],
  "cursor-as-given": [
    { id: "cursor-as-given" },
    {
      message: "cursor is none that linux.sys_logs gave",
      hint: 'Pass one as it came, or since, such as "1h".',
    },
  ],
  "time-instead": [{ id: "time-instead" }, 'Pass since instead, such as "1h".'],
};

const rows = Object.values(WORDED).flatMap((given) => (Array.isArray(given[0]) ? given : [given]) as readonly Worded[]);

test.for(rows)("%j is put into words", ([remedy, words]) => {
  expect(wordsOf(remedy)).toEqual(typeof words === "string" ? { hint: words } : words);
});
