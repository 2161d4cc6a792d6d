import {
  listedKindOf,
  LISTED_AT_ONCE,
  type Listed,
  type Looked,
  type Unseen,
  inFolder,
  listAtOnce,
  lstatMany,
  readdir,
  type Descriptor,
  type Work,
  eachListed,
  type Entered,
} from "@llmc/te-path";
import type { Bytes } from "@llmc/names";

/** Takes the names of a folder, some at a time and in any order. */
export type TakeNames = (some: readonly Listed[]) => void;

/** Bytes of a folder itself: on no file system more than some thousand names. */
const SMALL_FOLDER = 8192n;

/** Some at a time, unless the folder says by its own size that it has few. */
export function* eachName({ folder, stat }: Entered, take: TakeNames): Work<void> {
  if (folder.mount !== null) return yield* eachLookedAt(folder, take);
  if (stat.size > SMALL_FOLDER) {
    // oxlint-disable-next-line require-yield -- a visit may make calls; this one makes none
    return yield* eachListed(folder, function* (some) {
      take(some);
    });
  }
  const few = yield* listAtOnce(folder);
  if (few === undefined) yield* eachLookedAt(folder, take);
  else take(few);
}

/** Where the names alone are told. */
export function* eachLookedAt(folder: Descriptor, take: TakeNames): Work<void> {
  const names = yield* readdir(folder.mount, inFolder(folder, "."));
  for (let at = 0; at < names.length; at += LISTED_AT_ONCE) {
    const some = names.slice(at, at + LISTED_AT_ONCE);
    const found = yield* lstatMany(folder, some);
    take(some.map((name, index) => listedAs(name, found[index])));
  }
}

function listedAs(name: Bytes, found: Looked | Unseen | undefined): Listed {
  const kind = listedKindOf(found !== undefined && "stat" in found ? found.stat : undefined);
  return { name, isFolder: kind === "folder", kind };
}

/** Node looked by itself at an entry whose kind the kernel does not tell, and it was gone. */
export function isLateLook(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException | null)?.syscall === "lstat";
}
