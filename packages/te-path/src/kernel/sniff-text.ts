import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { PROC_FD } from "./proc-fd.js";
import { bytesOf } from "./lstat-many.js";
import { isFileError } from "./is-file-error.js";

/**
 * What a file holds, by its first 8 KiB: text, text behind a byte order mark, or a NUL byte without such a mark. What may
 * not be read is "unreadable".
 */
export type FileText = "plain" | "UTF-8 mark" | "UTF-16" | "binary" | "unreadable";

/** A file that was looked into. */
export interface Sniffed {
  readonly text: FileText;
  readonly dev: number;
  /** As text, whatever its size. */
  readonly ino: string;
  readonly hasLinks: boolean;
}

export const SNIFFED_BYTES = 8192;
// Known to be a file a moment ago. What it is by now is asked before it is read; a device that was put there must be
// root's doing.
const READ_NAME = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const GONE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ESTALE", "ENXIO"]);

// Calls of a thread follow each other.
const room = Buffer.allocUnsafeSlow(SNIFFED_BYTES);

/** Looks into many files of a folder that is held, in one go; undefined: gone, or no file. */
export function sniffMany(folder: number, names: readonly string[]): (Sniffed | "unreadable" | undefined)[] {
  return names.map((name) => {
    try {
      return sniffText(`${PROC_FD}/${folder}/${name}`);
    } catch (thrown) {
      const { code = "" } = thrown as NodeJS.ErrnoException;
      if (GONE.has(code)) return undefined;
      if (isFileError(thrown)) return "unreadable";
      throw thrown;
    }
  });
}

function sniffText(path: string): Sniffed | undefined {
  const fd = openSync(bytesOf(path), READ_NAME);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return undefined;
    const { dev, ino, nlink, size } = stat;
    const exact = Number.isSafeInteger(ino) ? ino : fstatSync(fd, { bigint: true }).ino;
    return { text: textIn(headOf(fd, size)), dev, ino: `${exact}`, hasLinks: nlink > 1 };
  } finally {
    closeSync(fd);
  }
}

/** A file whose size is told ends there: nothing is asked a second time to hear that. */
function headOf(fd: number, size: number): Buffer {
  let filled = 0;
  do {
    const count = readSync(fd, room, filled, SNIFFED_BYTES - filled, filled);
    if (count === 0) break;
    filled += count;
  } while (filled < SNIFFED_BYTES && (filled < size || size === 0));
  return room.subarray(0, filled);
}

export function textIn(head: Buffer): FileText {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return "UTF-16";
  if (head.includes(0)) return "binary";
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? "UTF-8 mark" : "plain";
}
