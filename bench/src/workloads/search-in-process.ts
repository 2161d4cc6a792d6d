// Measures searches in one process, a case for each line that it is sent.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { settingsOf } from "@llmc/config";
import { createLinuxOps } from "@llmc/linux-ops";
import { openFiles } from "@llmc/te-fs";
import { openSearch, type ContentQuery, type Search } from "@llmc/te-search";
import { findProgram } from "@llmc/te-run";
import { rgPath } from "@vscode/ripgrep";
import { answerLines, type Cases, type Measured } from "./answer-lines.js";

interface Request {
  readonly root: string;
  readonly pattern: string;
}

const [root = "/nowhere"] = process.argv.slice(2);
const ops = createLinuxOps({ config: settingsOf({ roots: [root], dataDir: join(process.cwd(), "state") }) });
const files = openFiles({ roots: [root], home: process.cwd(), homes: [] });
const rg = openSearch({ files, packagedRg: rgPath });
const [grepPath, xargs, bwrap] = await Promise.all([findProgram("grep"), findProgram("xargs"), findProgram("bwrap")]);
const grep = openSearch({ files, packagedRg: null, path: folderOf([grepPath, xargs, bwrap]) });
const QUERY: Omit<ContentQuery, "root" | "pattern"> = {
  literal: false,
  ignoreCase: true,
  multiline: false,
  respectIgnore: true,
  includeHidden: false,
  mode: "lines",
  maxScanHits: 1_000_000,
  maxKeptBytes: 16 * 1024 * 1024,
  maxLineChars: 240,
};
const HIT = '"type":"match"';
const BARE = ["--no-config", "--json", "-i"];

const cases: Cases<Request> = {
  rg: ({ root: cwd, pattern }) => bare([rgPath, ...BARE, "-e", pattern, "--", "."], cwd, HIT),
  rgInBubblewrap: ({ root: cwd, pattern }) =>
    bare(
      [
        bwrap ?? "bwrap",
        "--ro-bind",
        "/",
        "/",
        "--unshare-all",
        "--chdir",
        cwd,
        rgPath,
        ...BARE,
        "-e",
        pattern,
        "--",
        ".",
      ],
      cwd,
      HIT,
    ),
  content: async ({ root: at, pattern }) => {
    let count = 0;
    const ms = await timed(async () => {
      const found = await ops.call("linux.search_content", { root: at, pattern });
      count = found.total_hits;
    });
    return { ms, first: String(count) };
  },
  searchByRg: (request) => searched(rg, request),
  grep: ({ root: cwd, pattern }) => bare([grepPath ?? "grep", "-rnIHi", "-P", "-e", pattern, "."], cwd, "\n"),
  searchByGrep: (request) => searched(grep, request),
  rgFirst: ({ root: cwd, pattern }) => first([rgPath, ...BARE, "-e", pattern, "--", "."], cwd),
  firstHit: async ({ root: at, pattern }) => {
    const enough = new AbortController();
    const start = performance.now();
    let ms = Number.NaN;
    const onHit = (): void => {
      if (Number.isNaN(ms)) ms = performance.now() - start;
      enough.abort();
    };
    const query = { ...QUERY, root: at, pattern };
    await rg.content(query, { deadlineMs: 60_000, signal: enough.signal, onHit }).catch(() => undefined);
    return { ms, first: Number.isNaN(ms) ? "none" : "1" };
  },
  walk: async ({ root: at, pattern }) => {
    let count = 0;
    const ms = await timed(async () => {
      count = walk(at, pattern);
    });
    return { ms, first: String(count) };
  },
  names: async ({ root: at, pattern }) => {
    let count = 0;
    const ms = await timed(async () => {
      count = (await ops.call("linux.search_files", { root: at, pattern, type: "file", max_results: 500 })).total_hits;
    });
    return { ms, first: String(count) };
  },
};

async function searched(search: Search, { root: at, pattern }: Request): Promise<Measured> {
  let count = 0;
  const ms = await timed(async () => {
    count = (await search.content({ ...QUERY, root: at, pattern }, { deadlineMs: 60_000 })).total;
  });
  return { ms, first: String(count) };
}

/**
 * The program's whole output, read and counted as it comes: what is kept of it would be collected while the next one is
 * measured.
 */
async function bare(argv: readonly string[], cwd: string, mark: string): Promise<Measured> {
  const counter = countOf(mark);
  const ms = await timed(async () => {
    const child = spawn(argv[0] as string, argv.slice(1), { cwd, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.on("data", counter.feed);
    await once(child, "close");
  });
  return { ms, first: String(counter.count()) };
}

async function first(argv: readonly string[], cwd: string): Promise<Measured> {
  const start = performance.now();
  const child = spawn(argv[0] as string, argv.slice(1), { cwd, stdio: ["ignore", "pipe", "ignore"] });
  let ms = Number.NaN;
  child.stdout.on("data", (chunk: Buffer) => {
    if (Number.isNaN(ms) && chunk.includes(HIT)) ms = performance.now() - start;
    child.kill("SIGKILL");
  });
  await once(child, "close");
  return { ms, first: Number.isNaN(ms) ? "none" : "1" };
}

/** How often a mark stands in what comes in pieces. */
function countOf(mark: string): { feed: (chunk: Buffer) => void; count: () => number } {
  const bytes = Buffer.from(mark);
  const most = bytes.length - 1;
  const endOf = (chunk: Buffer): Buffer => chunk.subarray(Math.max(0, chunk.length - most));
  let end: Buffer = Buffer.alloc(0);
  let count = 0;
  const countIn = (chunk: Buffer): void => {
    for (let at = chunk.indexOf(bytes); at !== -1; at = chunk.indexOf(bytes, at + bytes.length)) count += 1;
  };
  return {
    feed(chunk) {
      countIn(Buffer.concat([end, chunk.subarray(0, most)]));
      countIn(chunk);
      end = endOf(Buffer.concat([end, endOf(chunk)]));
    },
    count: () => count,
  };
}

/** Files that are not hidden and whose name holds the text, by the plainest walk that there is. */
function walk(folder: string, text: string): number {
  let count = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) count += walk(`${folder}/${entry.name}`, text);
    else if (entry.isFile() && entry.name.toLowerCase().includes(text)) count += 1;
  }
  return count;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function folderOf(programs: readonly (string | null)[]): string {
  const folder = join(process.cwd(), "programs");
  mkdirSync(folder);
  for (const program of programs)
    if (program !== null) symlinkSync(program, join(folder, program.slice(program.lastIndexOf("/") + 1)));
  return folder;
}

await answerLines(cases);
await Promise.all([rg.close(), grep.close()]);
files.close();
await ops.close();
