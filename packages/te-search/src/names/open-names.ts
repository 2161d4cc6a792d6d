import type { Files } from "@llmc/te-fs";
import type { Cell, Missing } from "@llmc/te-run";
import type { SearchOptions } from "../query/content-query.js";
import { findFd, type FdProgram } from "./fd-program.js";
import type { NamesFound, NamesQuery } from "../query/names-query.js";
import { createRegexThreads } from "./regex-threads.js";
import { searchNames } from "./search-names.js";

export interface NamesSetup {
  readonly files: Files;
  /** Folders (as in PATH) in which fd is looked for; without it those of the system. */
  readonly path?: string | undefined;
  /** Where fd runs; without it outside, and each of its answers is looked at again. */
  readonly cell?: { held(): Promise<Cell | Missing> } | undefined;
  /** From so many names on fd is used where it is there; 0: always. */
  readonly largeFrom?: number | undefined;
  /** How long a regular expression may be at one name. */
  readonly slowNameMs?: number | undefined;
}

/** Search in the names of files and folders. */
export interface Names {
  search(query: NamesQuery, options: SearchOptions): Promise<NamesFound>;
  /** "walk", "walk, fd 8.6.0". */
  engine(): Promise<string>;
  close(): Promise<void>;
}

const REGEX_THREADS = { slowNameMs: 2000, most: 2, warmMs: 10_000 };
const LARGE_FROM = 100_000;
const NO_CELL: Missing = { missing: "there is no cell" };

export function openNames({ files, path, cell, largeFrom, slowNameMs }: NamesSetup): Names {
  const threads = createRegexThreads({ ...REGEX_THREADS, ...(slowNameMs === undefined ? {} : { slowNameMs }) });
  let found: Promise<FdProgram | undefined> | undefined;
  const fd = (): Promise<FdProgram | undefined> => (found ??= findFd(path));
  const engines = {
    fd,
    cell: () => cell?.held() ?? Promise.resolve(NO_CELL),
    large: largeFrom ?? LARGE_FROM,
    known: new Map<string, "fd" | "walk">(),
  };
  return {
    search: (query, options) => searchNames({ files, engines, threads }, query, options),
    async engine() {
      const program = await fd();
      return program === undefined ? "walk" : `walk, fd ${program.version}`;
    },
    async close() {
      threads.close();
    },
  };
}
