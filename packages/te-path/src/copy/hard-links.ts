import type { Bytes } from "@llmc/names";
import { hasCode, inFolder, link, lstat, unlink, type Descriptor, type Stat, type Work } from "../kernel/syscalls.js";
import { HeldFolders } from "../tree/held-folders.js";
import type { Name } from "./name.js";

interface First {
  readonly way: readonly Bytes[];
  readonly ino: bigint;
}

/** So many files with several names are kept one file in a copy; the names of more become files of their own. */
const REMEMBERED = 50_000;

/** Files of the source that have several names, and where their first copy is. */
export class HardLinks {
  readonly #top: Descriptor;
  readonly #stat: Stat;
  readonly #first = new Map<string, First>();

  /** `top` is the folder that is the copy, and stays the caller's to close. */
  constructor(top: Descriptor, stat: Stat) {
    this.#top = top;
    this.#stat = stat;
  }

  remember(source: Stat, way: () => readonly Bytes[], { ino }: Stat): void {
    if (source.nlink > 1n && this.#first.size < REMEMBERED) this.#first.set(identity(source), { way: way(), ino });
  }

  /** Gives the first copy the name as well; false where there is none. */
  *link(source: Stat, to: Name): Work<boolean> {
    const first = source.nlink > 1n ? this.#first.get(identity(source)) : undefined;
    return first !== undefined && (yield* this.#linkTo(first, to));
  }

  /** One component at a time and not by a path: what was swapped in there meanwhile must not lead out. */
  *#linkTo({ way, ino }: First, { folder, name }: Name): Work<boolean> {
    const ladder = new HeldFolders(this.#top, this.#stat);
    try {
      for (const each of way.slice(0, -1)) yield* ladder.down(each);
      yield* link(folder.mount, inFolder(ladder.here, way.at(-1) ?? "."), inFolder(folder, name));
    } catch (thrown) {
      if (hasCode(thrown, "ENOENT", "ENOTDIR", "ELOOP", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"))
        return false;
      throw thrown;
    } finally {
      yield* ladder.close();
    }
    if ((yield* lstat(folder.mount, inFolder(folder, name)))?.ino === ino) return true;
    yield* unlink(folder.mount, inFolder(folder, name));
    return false;
  }
}

function identity({ dev, ino }: Stat): string {
  return `${dev}:${ino}`;
}
