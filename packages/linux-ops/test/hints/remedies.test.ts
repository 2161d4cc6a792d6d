import { settingsOf } from "@llmc/config";
import type { Remedy, Words } from "@llmc/errors";
import { inputSchemaOf } from "@llmc/toolkit";
import { expect, test } from "vitest";
import { linuxTools } from "../../src/index.js";
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
  "use-tool": [{ id: "use-tool", tool: "run_cmd" }, "Use run_cmd."],
  "count-from-the-end": [
    [{ id: "count-from-the-end", argument: "tail_lines" }, "For the last lines pass tail_lines instead."],
    [
      { id: "count-from-the-end", argument: "tail_lines", count: 20 },
      "For the last lines pass tail_lines: 20 instead.",
    ],
  ],
  "ask-for-less": [{ id: "ask-for-less" }, "Ask for less, or raise mcp.tools.read_timeout."],
  "confirm-otherwise": [
    { id: "confirm-otherwise" },
    'The operator can set mcp.tools.confirm to "auto" or "never", or use a client with elicitation.',
  ],
  "shorter-timeout": [
    [{ id: "shorter-timeout", seconds: 5000, max: 600 }, "timeout is in seconds: for 5000 ms pass timeout: 5."],
    [
      { id: "shorter-timeout", seconds: 700, max: 600 },
      "The operator can raise mcp.linux_ops.process_limits.max_timeout_sec.",
    ],
  ],
  "more-time": [{ id: "more-time" }, "timeout=SECONDS allows more"],
  "come-back": [
    { id: "come-back", procId: "p_1", waitMs: 45_000 },
    'linux.proc_read {"proc_id":"p_1","timeout_ms":45000} waits for its end',
  ],
  "keep-program": [{ id: "keep-program" }, "linux.proc_start keeps a program"],
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
    "Start the server with --root DIR, or set LLMC_ROOTS or mcp.linux_ops.roots.allowed_roots (LLMC_ROOT is not a root).",
  ],

  "list-folder": [{ id: "list-folder" }, "List it with linux.fs_list, or name a file in it."],
  "write-new-file": [{ id: "write-new-file" }, "To make a file use linux.fs_write."],
  "create-parents": [{ id: "create-parents" }, "Leave out create_parents: false, and it is made."],
  "create-target-folder": [{ id: "create-target-folder" }, "Make that folder with linux.fs_mkdirs."],
  "accept-existing": [{ id: "accept-existing" }, "Leave out exist_ok: false if what is there will do."],
  overwrite: [{ id: "overwrite" }, "Pass overwrite: true to replace it."],
  "delete-recursively": [{ id: "delete-recursively" }, "Pass recursive: true to delete it with all it holds."],
  "fewer-backups": [{ id: "fewer-backups" }, "Remove old backups, or leave out backup."],
  "free-space": [{ id: "free-space" }, "Free some space (linux.fs_delete does even now), then try again."],
  "leave-credentials": [{ id: "leave-credentials", entry: ".ssh" }, "It holds credentials (.ssh in roots.deny)."],
  "open-credentials": [
    { id: "open-credentials", entry: ".ssh" },
    "The operator can take .ssh out of roots.deny, or make it a root.",
  ],
  "allow-exec-config": [
    { id: "allow-exec-config", name: ".git/hooks" },
    ".git/hooks is write-protected because other programs run what is in it. The operator can allow it: roots.allow_exec_config = true.",
  ],

  "look-by-command": [{ id: "look-by-command" }, "See what it is with run_cmd: file, or od -c."],
  "read-again": [{ id: "read-again" }, "Read it again, then try once more."],
  "expect-content": [
    { id: "expect-content", path: "/a", sha256: "0f" },
    {
      message: "/a is not the file that expected_sha256 names",
      hint: 'Read it again; to go ahead pass expected_sha256: "0f".',
    },
  ],
  "expect-content-of-file": [
    { id: "expect-content-of-file", path: "/a" },
    { message: "expected_sha256 does not go with /a, which is not a file", hint: "Leave it out." },
  ],
  "too-large-to-patch": [
    { id: "too-large-to-patch" },
    'Change it by a command (sed -i), add to its end with linux.fs_write mode: "append", or have the operator raise mcp.linux_ops.fs.max_patch_bytes.',
  ],
  "other-characters": [
    { id: "other-characters" },
    "Write it in other characters, or write the whole file anew as UTF-8 with linux.fs_write.",
  ],
  "fewer-pages": [{ id: "fewer-pages", first: 1, last: 50 }, 'Read a part of it: pages: "1-50".'],
  "patch-text-only": [
    { id: "patch-text-only" },
    "Only text can be patched; linux.fs_delete, linux.fs_move and linux.fs_write take any file.",
  ],
  "write-binary": [{ id: "write-binary" }, "Leave that part out, and write the file with linux.fs_write."],
  "copy-place": [
    { id: "copy-place", line: 12, lines: 3, hunk: 2 },
    "Read the place (linux.fs_read offset_lines: 11, max_lines: 3) and copy its lines into hunk 2.",
  ],

  "give-an-edit": [{ id: "give-an-edit" }, "Give old_text and new_text."],
  "fewer-replacements": [
    { id: "fewer-replacements", most: 100_000 },
    { message: "expected_replacements is above 100000", hint: "Send them in several calls." },
  ],
  "name-old-text": [
    { id: "name-old-text", edit: 3 },
    {
      message: "edits[3].old_text is empty",
      hint: 'To insert, put the line beside the place into old_text and repeat it in new_text; to append, use linux.fs_write with mode: "append".',
    },
  ],
  "change-something": [
    { id: "change-something" },
    {
      message: "old_text and new_text are the same, so nothing would change",
      hint: "Put into new_text what is to stand there, or leave the edit out.",
    },
  ],
  "whole-characters": [
    [
      { id: "whole-characters", text: "old" },
      {
        message: "old_text has half of a surrogate pair, which is not a character",
        hint: "Send the whole character.",
      },
    ],
    [
      { id: "whole-characters", edit: 0, text: "new" },
      {
        message: "edits[0].new_text has half of a surrogate pair, which is not a character",
        hint: "Send the whole character.",
      },
    ],
  ],
  "text-to-replace": [
    [
      { id: "text-to-replace", says: "occurs twice", advice: "Do." },
      { message: "old_text occurs twice", hint: "Do." },
    ],
    [
      { id: "text-to-replace", edit: 2, says: "occurs twice", advice: { id: "read-again" } },
      { message: "edits[2]: old_text occurs twice", hint: "Read it again, then try once more." },
    ],
  ],

  "longer-block": [
    [
      { id: "longer-block", expected: 1, count: 3 },
      "Add lines around it to old_text until it fits one place. To change all 3, pass expected_replacements: 3.",
    ],
    [{ id: "longer-block", expected: 2 }, "Add lines around it to old_text until it fits 2 places."],
  ],
  "fewer-places": [{ id: "fewer-places", count: 2 }, "Pass expected_replacements: 2 if no other place is meant."],
  "copy-indentation": [
    { id: "copy-indentation", line: 5, endLine: 8 },
    "Read lines 5-8 with linux.fs_read (offset_lines: 4, max_lines: 4) and send old_text and new_text with that indentation.",
  ],
  "write-characters": [
    { id: "write-characters", escapes: String.raw`\n` },
    String.raw`Send the characters themselves instead of \n, in new_text as well.`,
  ],
  "edit-made-already": [
    { id: "edit-made-already", lines: [3, 9] },
    "new_text is there already (line 3, 9): if the edit was made before, nothing is left to do.",
  ],
  "text-beside-bytes": [
    { id: "text-beside-bytes", line: 4 },
    "Line 4 holds bytes that are not text (shown as �), which old_text cannot name: use text beside them.",
  ],
  "send-block": [{ id: "send-block", quote: '"a"' }, 'Send what the file has there as old_text: "a".'],
  "take-marked-lines": [
    [{ id: "take-marked-lines", hasTabs: false }, "In old_text, put the lines marked + in place of yours (-)."],
    [
      { id: "take-marked-lines", hasTabs: true },
      "In old_text, put the lines marked + in place of yours (-) (→ is a tab).",
    ],
  ],
  "copy-block": [
    { id: "copy-block", line: 5, endLine: 5 },
    "Read line 5 with linux.fs_read (offset_lines: 4, max_lines: 1) and copy old_text from there.",
  ],
  "write-whole-file": [{ id: "write-whole-file" }, "The file is empty: write it with linux.fs_write."],
  "read-for-block": [
    { id: "read-for-block" },
    "Read the place with linux.fs_read, and send old_text as it stands there.",
  ],

  "allow-bash": [
    { id: "allow-bash", list: "commands" },
    "Give one program and its arguments as a list, or the operator adds bash to mcp.tools.run_cmd_allowlist.",
  ],
  "allowed-programs": [
    [
      { id: "allowed-programs", list: "programs", names: [], more: 0 },
      "mcp.linux_ops.commands.allowed_binaries allows nothing.",
    ],
    [
      { id: "allowed-programs", list: "commands", names: ["ls", "cat"], more: 3 },
      "mcp.tools.run_cmd_allowlist allows ls, cat and 3 more.",
    ],
  ],
  "allow-program": [{ id: "allow-program" }, "The operator can name it in mcp.linux_ops.commands.allowed_binaries."],
  "allow-program-or-sandbox": [
    { id: "allow-program-or-sandbox" },
    "The operator can name it in mcp.linux_ops.commands.allowed_binaries, or turn the sandbox on (mcp.linux_ops.commands.sandbox).",
  ],
  "allow-unsafe": [
    { id: "allow-unsafe", program: "node" },
    {
      message: "Not allowed: node is in mcp.linux_ops.commands.unsafe_binaries",
      hint: "The operator can set mcp.linux_ops.commands.allow_unsafe.",
    },
  ],
  "without-that-argument": [
    { id: "without-that-argument" },
    "Leave that out, or the operator sets mcp.linux_ops.commands.allow_unsafe.",
  ],
  "pass-variable": [
    { id: "pass-variable" },
    "Leave it out, or the operator names it in mcp.linux_ops.commands.env_pass.",
  ],
  "commands-off": [
    { id: "commands-off", why: "bwrap is gone", fix: "Install it" },
    { message: "Commands are off: bwrap is gone", hint: 'Install it, or set commands.sandbox = "off".' },
  ],
  "hide-host": [
    { id: "hide-host" },
    "Run the server as that user, or the operator sets mcp.linux_ops.commands.host_view = false.",
  ],
  "see-health": [{ id: "see-health" }, "Try again."],
  "without-terminal": [
    { id: "without-terminal" },
    "Start the program without pty, or install script (apt install bsdutils, dnf install util-linux-script, apk add util-linux-misc).",
  ],
  "open-to-sandbox": [
    [
      { id: "open-to-sandbox", place: "/opt/x/run", folder: "/opt/x", isByName: false },
      "/opt/x/run lies outside of the sandbox: the operator adds /opt/x to mcp.linux_ops.commands.sandbox_read.",
    ],
    [
      { id: "open-to-sandbox", place: "/opt/x/run", folder: "/opt/x", isByName: true, and: "/opt/y" },
      "/opt/x/run lies outside of the sandbox: the operator adds /opt/x to mcp.linux_ops.commands.path_extra and /opt/y to mcp.linux_ops.commands.sandbox_read.",
    ],
  ],
  "does-not-last": [
    [
      { id: "does-not-last", builtin: "cd", line: "cd shop", folder: "py/shop" },
      'cd does not last between commands: pass cwd: "py/shop"',
    ],
    [
      { id: "does-not-last", builtin: "cd", line: "cd ~/x" },
      "cd does not last between commands: write cd ~/x && COMMAND in one line",
    ],
    [
      { id: "does-not-last", builtin: "export", line: "export X=5", variables: { X: "5" } },
      'export does not last between commands: pass env: {"X":"5"}',
    ],
    [
      { id: "does-not-last", builtin: "export", line: "export X=…", variables: { X: "5".repeat(1000) } },
      "export does not last between commands: pass env",
    ],
    [
      { id: "does-not-last", builtin: "source", line: "source venv/bin/activate" },
      "source does not last between commands: write source venv/bin/activate && COMMAND in one line",
    ],
    [
      { id: "does-not-last", builtin: "alias", line: "alias ll='ls -l'" },
      "alias does not last between commands: write the command out",
    ],
  ],
  "not-visible": [
    { id: "not-visible", path: "/srv/other", roots: ["/work"] },
    "not visible to commands: /srv/other (roots: /work)",
  ],
  "write-protected": [
    { id: "write-protected", path: ".git/config" },
    ".git/config is write-protected (roots.allow_exec_config)",
  ],
  "git-keys-refused": [
    [
      { id: "git-keys-refused", keys: ["core.fsmonitor", "a\nb"] },
      'not kept in .git/config: core.fsmonitor, "a\\nb" (write-protected: roots.allow_exec_config)',
    ],
    [
      { id: "git-keys-refused", keys: ["a.a", "b.b", "c.c", "d.d", "e.e", "f.f"] },
      "not kept in .git/config: a.a, b.b, c.c, d.d, e.e and 1 more (write-protected: roots.allow_exec_config)",
    ],
    [
      { id: "git-keys-refused", keys: [] },
      "not kept in .git/config: anything (write-protected: roots.allow_exec_config)",
    ],
  ],
  "no-docker-socket": [
    { id: "no-docker-socket" },
    "docker's socket is not in the sandbox (it would open the whole machine)",
  ],
  "needs-terminal": [
    { id: "needs-terminal" },
    "a full-screen program: start it with linux.proc_start and pty: true, read it with screen: true",
  ],
  "ask-the-machine": [
    [{ id: "ask-the-machine", about: "processes" }, "this saw the sandbox; use linux.proc_list for the machine"],
    [{ id: "ask-the-machine", about: "signals" }, "this saw the sandbox; use linux.proc_kill for the machine"],
    [{ id: "ask-the-machine", about: "services" }, "this saw the sandbox; use linux.sys_services for the machine"],
    [{ id: "ask-the-machine", about: "logs" }, "this saw the sandbox; use linux.sys_logs for the machine"],
    [{ id: "ask-the-machine", about: "state" }, "this saw the sandbox; use linux.sys_snapshot for the machine"],
  ],
  "too-many-repositories": [
    [
      { id: "too-many-repositories", folders: ["/r/a", "/r/b"], more: 2, isOpenedInside: true },
      "read-only for this command, because the roots hold too many repositories to guard each: /r/a, /r/b and 2 more (a cwd in there opens it)",
    ],
    [
      { id: "too-many-repositories", folders: ["/r/a"], more: 0, isOpenedInside: false },
      "read-only for this command, because the roots hold too many repositories to guard each: /r/a",
    ],
  ],

  "search-names-instead": [
    { id: "search-names-instead" },
    "Give some text to look for; linux.search_files finds files by name.",
  ],
  "match-several-lines": [{ id: "match-several-lines" }, "Leave out multiline: false."],
  "write-newline": [{ id: "write-newline" }, "Write the end of a line as \\n."],
  "match-single-lines": [{ id: "match-single-lines" }, "Leave out multiline, or install ripgrep."],
  "search-as-text": [{ id: "search-as-text" }, "To search for the text itself pass literal: true."],
  "search-as-text-or-ripgrep": [{ id: "search-as-text-or-ripgrep" }, "Pass literal: true, or install ripgrep."],
  "type-or-glob": [
    { id: "type-or-glob" },
    'Types are ripgrep\'s: "ts", "py", "rust"; or pass a file_glob like "*.ext".',
  ],
  "escape-or-as-text": [
    { id: "escape-or-as-text" },
    "Write \\ in front of a character that stands for itself, or leave regex out to search for the text.",
  ],

  "list-processes": [{ id: "list-processes" }, "linux.proc_list shows what runs."],
  "list-own-processes": [{ id: "list-own-processes" }, "linux.proc_sessions lists those that it has."],
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
      message: "wait_for is not a valid regular expression: Unterminated group",
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
      message: "cursor is not one that linux.sys_logs gave",
      hint: 'Pass one as it came, or since, such as "1h".',
    },
  ],
  "time-instead": [{ id: "time-instead" }, 'Pass since instead, such as "1h".'],
};

const rows = Object.values(WORDED).flatMap((given) => (Array.isArray(given[0]) ? given : [given]) as readonly Worded[]);

test.for(rows)("%j is put into words", ([remedy, words]) => {
  expect(wordsOf(remedy)).toEqual(typeof words === "string" ? { hint: words } : words);
});

const toolsets: readonly string[] = settingsOf({}).mcp.tools.toolsets;
const listed = linuxTools.filter((tool) => toolsets.includes(tool.toolset));
const shown = listed.flatMap((tool) => Object.keys(inputSchemaOf(tool, { unlisted: false })["properties"] as object));
const accepted = linuxTools.flatMap((tool) => Object.keys(tool.input.shape));
const hints = rows.map(([, words]) => (typeof words === "string" ? words : (words.hint ?? "")));

test.for(hints)("%s: advises only tools and arguments that are listed", (hint) => {
  const tools = hint.match(/\blinux\.[a-z_]+/g) ?? [];
  expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(tools));
  const args = Array.from(hint.matchAll(/\b([a-z_]+)(?:: |=)(?!false)/g), ([, name = ""]) => name);
  expect(args.filter((name) => accepted.includes(name) && !shown.includes(name))).toEqual([]);
});
