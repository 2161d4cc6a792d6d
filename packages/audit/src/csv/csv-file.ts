import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
  writeSync,
} from "node:fs";
import { linkSync, unlinkSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { WriteFailedError } from "@llmc/errors";
import { CSV_HEADER } from "./csv.js";
import { rotate } from "./csv-rotation.js";

export interface CsvOptions {
  readonly path: string;
  /** 0 keeps all lines in one file; else each day's lines move to a file of their own, deleted after so many days. */
  readonly retentionDays: number;
}

export interface CsvFile {
  /** Whole lines, in one write, so that several processes can share the file. */
  append(lines: string): void;
  close(): void;
}

// NONBLOCK: opening a FIFO that has no reader would hang the server. NOFOLLOW: a link may lead anywhere.
const { O_APPEND, O_CREAT, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
const FLAGS = O_WRONLY | O_APPEND | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY;
const PRIVATE = 0o600;

/** Opens nothing yet: a problem belongs to the first write, which is reported and tried again. */
export function csvFile({ path, retentionDays }: CsvOptions): CsvFile {
  let fd: number | null = null;

  function append(lines: string): void {
    try {
      if (retentionDays > 0) rotate(path, retentionDays);
      writeWhole(current(), lines);
    } catch (thrown) {
      close();
      throw new WriteFailedError(`The token audit ${path}`, problemOf(thrown), { cause: thrown });
    }
  }

  /** The file that has the name now: we or another process, or logrotate, may have moved the last one away. */
  function current(): number {
    if (fd !== null && isSameFile(fstatSync(fd), path)) return fd;
    close();
    fd = openCsv(path);
    return fd;
  }

  function close(): void {
    if (fd !== null) closeSync(fd);
    fd = null;
  }

  return { append, close };
}

function openCsv(path: string): number {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) create(path);
  const fd = openSync(path, FLAGS | O_CREAT, PRIVATE);
  const stat = fstatSync(fd);
  if (stat.isFile()) {
    if (stat.size === 0) writeWhole(fd, CSV_HEADER);
    return fd;
  }
  closeSync(fd);
  throw new NotAFileError();
}

/** One folder, not a chain of them: Node's `recursive` never returns where a parent refuses with ENOENT, as /proc does. */
function makeParent(path: string): void {
  try {
    mkdirSync(dirname(path), { mode: 0o700 });
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") throw thrown;
  }
}

/** The header is there before the name is: two processes that start together write it once. */
function create(path: string): void {
  makeParent(path);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const fd = openSync(draft, FLAGS | O_CREAT | O_EXCL, PRIVATE);
  try {
    writeWhole(fd, CSV_HEADER);
    linkSync(draft, path);
  } catch (thrown) {
    // Another process was first, or this file system has no links: then the empty file gets its header.
    if (!["EEXIST", "EPERM", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(thrown))) throw thrown;
  } finally {
    closeSync(fd);
    unlinkSync(draft);
  }
}

/** All or nothing: half a line would make the rest of the file unreadable. */
function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  const written = writeSync(fd, bytes);
  if (written === bytes.length) return;
  const { size } = fstatSync(fd);
  const rest = tryWrite(fd, bytes.subarray(written));
  if (rest === bytes.length - written) return;
  // Only where nobody else has written since.
  if (fstatSync(fd).size === size + rest) ftruncateSync(fd, size - written);
  throw new DiskFullError();
}

function tryWrite(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0;
  }
}

function isSameFile({ dev, ino }: Stats, path: string): boolean {
  const named = lstatSync(path, { throwIfNoEntry: false });
  return named !== undefined && named.dev === dev && named.ino === ino;
}

class NotAFileError extends Error {}
class DiskFullError extends Error {}

const PROBLEMS: Readonly<Record<string, string>> = {
  ELOOP: "it is a symbolic link",
  ENXIO: "it is a FIFO or a device, not a file",
  EISDIR: "it is a folder",
  EACCES: "this user may not write it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EFBIG: "the file may not grow further",
};

function problemOf(thrown: unknown): string {
  if (thrown instanceof NotAFileError) return "it is a FIFO or a device, not a file";
  if (thrown instanceof DiskFullError) return "the disk is full";
  return PROBLEMS[codeOf(thrown)] ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

function codeOf(thrown: unknown): string {
  return (thrown as NodeJS.ErrnoException).code ?? "";
}
