import { opendirSync, readdirSync } from "node:fs";
import type { Dir, Dirent } from "node:fs";

export type { Dir };

/** A name in a folder, and what had it when it was listed. */
export interface Listed {
  /** As bytes, one latin1 character each. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly kind: ListedKind;
}

export type ListedKind = "file" | "folder" | "link" | "other";

export const LISTED_AT_ONCE = 512;

export function openListing(path: string): Dir {
  // Names as buffers: where the kernel does not say what an entry is, Node looks, and must have its name byte for byte.
  return opendirSync(path, { encoding: "buffer" as BufferEncoding, bufferSize: LISTED_AT_ONCE });
}

/** The next names; none at the end. */
export function listSome(listing: Dir): Listed[] {
  const some: Listed[] = [];
  for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
    const name = (entry.name as unknown as Buffer).toString("latin1");
    some.push({ name, isFolder: entry.isDirectory(), kind: kindOfEntry(entry) });
    if (some.length === LISTED_AT_ONCE) break;
  }
  return some;
}

/**
 * All names in one go, twice as fast where there are few. Undefined where the kernel does not say what an entry is: Node
 * looks by itself then, and for a name that is no ASCII in the wrong place.
 */
export function listAtOnce(path: string): Listed[] | undefined {
  try {
    const entries = readdirSync(path, { encoding: "latin1", withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory(), kind: kindOfEntry(entry) }));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).syscall === "lstat") return undefined;
    throw thrown;
  }
}

function kindOfEntry(entry: Dirent): ListedKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
