import { constants } from "node:fs";
import { close, fill, fstat, hasCode, open, type Stat, type Work } from "@llmc/te-path";
import { type Bytes, normalizePath } from "@llmc/names";

/** A temporary file or folder, and where it really lies. */
export interface TempRecord {
  readonly folder: Bytes;
  readonly name: Bytes;
}

/** What one process wrote down. */
export interface RecordFile {
  readonly mark: string;
  readonly stat: Stat;
  /** The names in each folder. */
  readonly folders: ReadonlyMap<Bytes, ReadonlySet<Bytes>>;
}

const NAME = /^\.llmc-[0-9a-f]{24}\.tmp$/;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** A hundred thousand names that are outstanding at once. */
const MAX_BYTES = 16 * 1024 * 1024;

/** As a line; one that a write left unfinished ends where the next begins. */
export function recordLine({ folder, name }: TempRecord): Bytes {
  return `\n${JSON.stringify([folder, name])}`;
}

/** Undefined for everything that `recordLine` has not written: it must never name another file. */
export function parseRecord(line: Bytes): TempRecord | undefined {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Array.isArray(read) || read.length !== 2) return undefined;
  const [folder, name] = read as readonly unknown[];
  if (typeof folder !== "string" || normalizePath(folder) !== folder || folder.includes("\0")) return undefined;
  return typeof name === "string" && NAME.test(name) ? { folder, name } : undefined;
}

/** Undefined when it is gone. */
export function* readRecords(path: Bytes): Work<RecordFile | undefined> {
  let file;
  try {
    file = yield* open(null, path, READ);
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return undefined;
    throw thrown;
  }
  try {
    const stat = yield* fstat(file);
    const bytes = Buffer.alloc(Math.min(Number(stat.size), MAX_BYTES));
    const count = yield* fill(file, bytes, 0);
    const [mark = "", ...lines] = bytes.toString("latin1", 0, count).split("\n");
    return { mark, stat, folders: byFolder(lines) };
  } finally {
    yield* close(file);
  }
}

function byFolder(lines: readonly Bytes[]): Map<Bytes, Set<Bytes>> {
  const folders = new Map<Bytes, Set<Bytes>>();
  for (const line of lines) {
    const record = parseRecord(line);
    if (record === undefined) continue;
    const names = folders.get(record.folder);
    if (names === undefined) folders.set(record.folder, new Set([record.name]));
    else names.add(record.name);
  }
  return folders;
}
