import { closeSync, fstatSync, openSync, type Stats } from "node:fs";
import { PROC_FD } from "./proc-fd.js";
import { keepListing, knownListing } from "./known-listings.js";
import { listAtOnce, type Listed } from "./listing.js";
import { bytesOf } from "./lstat-many.js";

/** A folder that was opened, and what it holds. */
export interface EnteredListing {
  readonly fd: number;
  readonly dev: number;
  /** As text, whatever its size. */
  readonly ino: string;
  /** Undefined where they are many, or must be looked at one by one. */
  readonly names: readonly Listed[] | undefined;
}

/** Bytes of a folder itself: on no file system more than some thousand names. */
const SMALL_FOLDER = 8192;

/** Opens a folder by its name in one that is held and lists it: a walk does nothing else, thousands of times. */
export function enterListing(parent: number, name: string, flags: number): EnteredListing {
  const fd = openSync(bytesOf(`${PROC_FD}/${parent}/${name}`), flags);
  try {
    const stat = fstatSync(fd);
    const { dev, ino, size } = stat;
    const isExact = Number.isSafeInteger(ino);
    const own = isExact ? ino : fstatSync(fd, { bigint: true }).ino;
    if (size > SMALL_FOLDER) return { fd, dev, ino: `${own}`, names: undefined };
    return { fd, dev, ino: `${own}`, names: isExact ? listed(fd, stat) : listNow(fd) };
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

function listed(fd: number, stat: Stats): readonly Listed[] | undefined {
  const before = knownListing(stat);
  if (before !== undefined) return before;
  const names = listNow(fd);
  if (names !== undefined) keepListing(`${PROC_FD}/${fd}`, stat, names);
  return names;
}

function listNow(fd: number): readonly Listed[] | undefined {
  try {
    return listAtOnce(`${PROC_FD}/${fd}`);
  } catch (thrown) {
    // Node looked by itself at an entry whose kind the kernel does not tell, and it was gone.
    if ((thrown as NodeJS.ErrnoException).syscall === "lstat") return undefined;
    throw thrown;
  }
}
