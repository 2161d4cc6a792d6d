import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "../../report/row.js";
import { openCallers, type Call } from "../callers.js";
import type { Context } from "../context.js";
import { interleave, type Rounds } from "../interleave.js";
import type { McpServer } from "../mcp-server.js";
import { compare } from "../rows.js";
import { COMMANDER, FILESYSTEM, type Server } from "../servers.js";
import { makeTree } from "../trees.js";
import { oneEdit, tenKilobytes, type Versions } from "../versions.js";

const GROUP = "Lists and changes of files through MCP stdio, beside the peers";
const BUDGET_MS = 20_000;
const NOT_SYNCED = "not synced: a power cut may take what it has written";

interface Case {
  readonly name: string;
  readonly calls: readonly (readonly [server: Server, call: Call])[];
  /** Throws when the answer is wrong: a wrong answer is no figure. */
  readonly check: (subject: string, text: string, round: number) => void;
  readonly notes?: ReadonlyMap<string, string>;
  readonly rounds: Rounds;
}

export async function filesThroughMcp(context: Context): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const one of [...listing(context), ...changing(context)]) rows.push(...(await measured(one)));
  return rows;
}

async function measured({ name, calls, check, notes, rounds }: Case): Promise<Row[]> {
  await using callers = await openCallers(calls, { check });
  const outcomes = await interleave(callers.contenders, rounds);
  const told = notes ?? new Map<string, string>();
  return compare({ group: GROUP, case: name, unit: "ms", outcomes, base: FILESYSTEM, notes: told });
}

function listing({ servers, places, rounds }: Context): readonly Case[] {
  const { ours, filesystem, commander } = servers;
  const withSizes = { ...filesystem, subject: `${FILESYSTEM}, with sizes` };
  const tree = join(places.files, "thousand-entries");
  makeTree(tree, { folders: 40, filesInEach: 24, linked: true });
  makeTree(join(places.files, "thousand-files"), { folders: 1, filesInEach: 1000, linked: true });
  const folder = join(places.files, "thousand-files/module-000");
  const how = { warmup: 4, rounds: rounds(40), block: 5, budgetMs: BUDGET_MS };
  return [
    {
      name: "a folder of 1,000 files",
      calls: [
        [filesystem, (server) => server.call("list_directory", { path: folder })],
        [withSizes, (server) => server.call("list_directory_with_sizes", { path: folder })],
        [ours, (server) => server.call("linux_fs_list", { path: folder, max_entries: 1000 })],
        [commander, (server) => server.call("list_directory", { path: folder, depth: 1 })],
      ],
      check: expectMatches(/\bpart-\d+\.(?:test\.)?ts\b/g, 1000),
      rounds: how,
    },
    {
      name: "a tree of 1,000 entries",
      calls: [
        [filesystem, (server) => server.call("directory_tree", { path: tree })],
        [ours, (server) => server.call("linux_fs_list", { path: tree, max_entries: 1000 })],
        [commander, (server) => server.call("list_directory", { path: tree, depth: 2 })],
      ],
      check: expectMatches(/\bpart-\d+\.(?:test\.)?ts\b/g, 960),
      rounds: how,
    },
    {
      name: "files by a glob among 1,000 entries",
      calls: [
        [filesystem, (server) => server.call("search_files", { path: tree, pattern: "**/*.test.ts" })],
        [ours, (server) => server.call("linux_fs_list", { path: tree, file_glob: "*.test.ts", max_entries: 1000 })],
        [commander, (server) => searchedByCommander(server, { path: tree, pattern: "*.test.ts" })],
      ],
      check: expectMatches(/\bpart-\d+\.test\.ts\b/g, 120),
      rounds: how,
    },
  ];
}

function expectMatches(pattern: RegExp, wanted: number): Case["check"] {
  return (_subject, text) => {
    const got = text.match(pattern)?.length ?? 0;
    if (got !== wanted) throw new Error(`wrong: ${wanted} files were asked for, ${got} were told of`);
  };
}

/** It answers while it still searches, and then with the first ten: all are had by asking until it is done. */
async function searchedByCommander(server: McpServer, args: object): Promise<string> {
  const started = await server.call("start_search", { ...args, searchType: "files" });
  const sessionId = /session: (\S+)/.exec(started)?.[1];
  for (;;) {
    const text = await server.call("get_more_search_results", { sessionId, length: 1000 });
    if (text.includes("Status: COMPLETED")) return text;
  }
}

function changing({ servers, places, rounds }: Context): readonly Case[] {
  const { ours, filesystem, commander } = servers;
  const write = filesOf(join(places.files, "written"), tenKilobytes());
  const edit = filesOf(join(places.files, "edited"), oneEdit());
  const notes = new Map([FILESYSTEM, COMMANDER].map((subject) => [subject, NOT_SYNCED]));
  return [
    {
      name: "10 KB written over 10 KB",
      calls: [
        write.call(filesystem, "write_file", (path, content) => ({ path, content })),
        write.call(ours, "linux_fs_write", (path, content) => ({ path, content })),
        write.call(commander, "write_file", (path, content) => ({ path, content, mode: "rewrite" })),
      ],
      check: write.check,
      notes,
      rounds: { warmup: 4, rounds: rounds(100), budgetMs: BUDGET_MS },
    },
    {
      name: "an edit in 2 MB",
      calls: [
        edit.call(filesystem, "edit_file", (path, { oldText, newText }) => ({ path, edits: [{ oldText, newText }] })),
        edit.call(ours, "linux_fs_patch_block", (path, { oldText, newText }) => ({
          path,
          old_text: oldText,
          new_text: newText,
        })),
        edit.call(commander, "edit_block", (path, { oldText, newText }) => ({
          file_path: path,
          old_string: oldText,
          new_string: newText,
        })),
      ],
      check: edit.check,
      notes,
      rounds: { warmup: 3, rounds: rounds(40), budgetMs: BUDGET_MS },
    },
  ];
}

/** A file for each server, given the other one of its two contents at each call. */
function filesOf<Change>(folder: string, { contents, changes }: Versions<Change>) {
  mkdirSync(folder);
  const pathOf = (subject: string) => join(folder, `${subject.toLowerCase().replaceAll(" ", "-")}.txt`);
  const turnOf = (round: number) => (round % 2 === 0 ? 1 : 0);
  return {
    call(server: Server, tool: string, argsOf: (path: string, change: Change) => object): readonly [Server, Call] {
      const path = pathOf(server.subject);
      writeFileSync(path, contents[0]);
      return [server, (running, round) => running.call(tool, argsOf(path, changes[turnOf(round)]))];
    },
    check(subject: string, _text: string, round: number): void {
      if (readFileSync(pathOf(subject), "utf8") === contents[turnOf(round)]) return;
      throw new Error("wrong: the file has another content");
    },
  };
}
