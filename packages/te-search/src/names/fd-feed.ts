import { holdRoot } from "../search-root/hold-root.js";
import { ignoredFromAbove } from "../walk/ignored-from-above.js";
import { EngineUnavailableError } from "@llmc/errors";
import type { Files } from "@llmc/te-fs";
import { dieWithParent, run, type Cell, type RunResult } from "@llmc/te-run";
import type { Bytes } from "@llmc/names";
import type { FdProgram } from "./fd-program.js";
import type { Fed, FeedOptions } from "./feed.js";
import type { Folder, Name } from "./name-filter.js";
import { takeUntil } from "../engines/take-until.js";

export interface FdFeedOptions extends FeedOptions {
  readonly files: Pick<Files, "scope">;
  readonly fd: FdProgram;
  /** Undefined: fd runs outside, and what it says is looked at again. */
  readonly cell: Cell | undefined;
}

/** Everything, in whatever order: what is hidden or ignored is sorted out here, by the rules of the walk. */
const EVERYTHING = ["--hidden", "--no-ignore", "--print0", "--color", "never", "--show-errors"];
/**
 * fd has ignore files of its own and does not know all of ours, so its word on them is worth nothing. Where there are any,
 * the walk goes.
 */
const RULES: ReadonlySet<Bytes> = new Set([".gitignore", ".ignore", ".rgignore", ".git"]);
const MAX_MS = 2 ** 31 - 1;

/** Undefined where fd cannot give what the walk would. */
export async function fdFeed(options: FdFeedOptions): Promise<Fed | undefined> {
  const reader = new FdReader(options, await rulesAbove(options));
  const root = await holdRoot(options.files.scope, options.searchRoot);
  try {
    const result = await runFd(options, root.fd, reader);
    if (reader.metRules) return undefined;
    if (result.ended !== "exit" || options.signal?.aborted === true) return reader.fed("deadline");
    // 1: some folder could not be read, or nothing at all was found.
    if (result.exitCode === 0 || result.exitCode === 1) return reader.fed("whole");
    return undefined;
  } catch (thrown) {
    if (thrown instanceof EngineUnavailableError) return undefined;
    throw thrown;
  } finally {
    await root.close();
  }
}

async function rulesAbove({ files, searchRoot, respectIgnore, signal }: FdFeedOptions): Promise<Ignored> {
  return respectIgnore ? await ignoredFromAbove(files.scope, searchRoot, { signal }) : () => false;
}

async function runFd(options: FdFeedOptions, root: number, reader: FdReader): Promise<RunResult> {
  const { cell, fd, searchRoot, signal, deadline } = options;
  const argv = [fd.program, ...EVERYTHING] as const;
  const common = {
    third: root,
    maxBytes: 0,
    timeoutMs: Math.min(MAX_MS, Math.max(1, deadline - performance.now())),
    ...(signal === undefined ? {} : { signal }),
    onStdout: takeUntil(signal, (chunk) => reader.read(chunk)),
    onStderr: (chunk: Buffer) => reader.readErrors(chunk),
  };
  if (cell === undefined) {
    const below = searchRoot.real.slice(searchRoot.root.real === "/" ? 0 : searchRoot.root.real.length);
    // The descriptor is the program's own by the time its folder is chosen.
    const cwd = Buffer.from(`/proc/self/fd/${root}${below}`, "latin1").toString("utf8");
    return await run(await dieWithParent(argv), { ...common, cwd, baseEnv: {}, env: { LC_ALL: "C.UTF-8" } });
  }
  const closed = searchRoot.closed.flatMap(({ real, kind }) =>
    kind === "absent" ? [] : [{ path: Buffer.from(real, "latin1").toString("utf8"), kind }],
  );
  const [at, cwd] = [searchRoot.root.real, searchRoot.real].map((real) => Buffer.from(real, "latin1").toString("utf8"));
  return await cell.run(argv, { fd: root, at: at as string, cwd: cwd as string, closed }, common);
}

type Ignored = (way: Bytes, isFolder: boolean) => boolean;

/** Makes folders of what fd prints. */
class FdReader {
  readonly #options: FdFeedOptions;
  readonly #ignored: Ignored;
  readonly #closed: ReadonlySet<Bytes>;
  #rest = "";
  #folder = { way: "", names: [] as Name[], isOut: false };
  #hidden = 0;
  #ignoredCount = 0;
  #unreadable = 0;
  metRules = false;

  constructor(options: FdFeedOptions, ignored: Ignored) {
    const { searchRoot } = options;
    this.#options = options;
    this.#ignored = ignored;
    const start = searchRoot.real === "/" ? 1 : searchRoot.real.length + 1;
    this.#closed = new Set(searchRoot.closed.map(({ real }) => real.slice(start)));
  }

  async read(chunk: Buffer): Promise<void | "stop"> {
    const lines = (this.#rest + chunk.toString("latin1")).split("\0");
    this.#rest = lines.pop() as string;
    for (const line of lines) {
      const full = this.#line(line);
      if (full !== undefined) await this.#options.take(full);
      if (this.metRules) return "stop";
    }
    const { way, names } = this.#folder;
    this.#folder = { ...this.#folder, names: [] };
    if (names.length > 0) await this.#options.take({ way, names });
  }

  readErrors(chunk: Buffer): void {
    for (let at = chunk.indexOf("[fd error]"); at >= 0; at = chunk.indexOf("[fd error]", at + 1)) this.#unreadable += 1;
  }

  fed(ended: Fed["ended"]): Fed {
    const [hidden, ignored, unreadable] = [this.#hidden, this.#ignoredCount, this.#unreadable];
    return { ended, hidden, ignored, unreadable, atLeast: ended !== "whole" };
  }

  /** The folder before, once another one begins. */
  #line(line: Bytes): Folder | undefined {
    const isFolder = line.endsWith("/");
    const path = line.slice(line.startsWith("./") ? 2 : 0, isFolder ? -1 : undefined);
    const slash = path.lastIndexOf("/");
    const way = path.slice(0, Math.max(0, slash));
    let full: Folder | undefined;
    if (way !== this.#folder.way) {
      if (this.#folder.names.length > 0) full = this.#folder;
      this.#folder = { way, names: [], isOut: this.#isOut(way) };
    }
    if (!this.#folder.isOut) this.#name(path.slice(slash + 1), path, isFolder);
    return full;
  }

  #name(name: Bytes, path: Bytes, isFolder: boolean): void {
    const { includeHidden, respectIgnore } = this.#options;
    if (respectIgnore && RULES.has(name)) this.metRules = true;
    if (this.#closed.has(path)) return;
    if (!includeHidden && name.startsWith(".")) this.#hidden += 1;
    else if (this.#ignored(path, isFolder)) this.#ignoredCount += 1;
    else this.#folder.names.push({ name, kind: isFolder ? "folder" : "unknown" });
  }

  /** What lies in what is left out is left out, and not counted. */
  #isOut(way: Bytes): boolean {
    if (way === "") return false;
    if (!this.#options.includeHidden && (way.startsWith(".") || way.includes("/."))) return true;
    if (this.#ignored(way, true)) return true;
    for (const path of this.#closed) if (way === path || way.startsWith(`${path}/`)) return true;
    return false;
  }
}
