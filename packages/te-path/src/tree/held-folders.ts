import type { Bytes } from "@llmc/names";
import { close, fstat, inFolder, open, type Descriptor, type Stat, type Work } from "../kernel/syscalls.js";
import { FOLDER } from "../scope/root.js";

interface HeldFolder {
  readonly dev: bigint;
  readonly ino: bigint;
  /** Null once there are too many below it. */
  folder: Descriptor | null;
}

/** Descriptors that one ladder holds at most, however deep it goes. */
const HELD = 32;

/** The folders moved while somebody stood in them: the way back up does not lead where it came from. */
export class LostWayError extends Error {}

/**
 * The way down into a tree and back up, by descriptors and through no link. Far above, only the identity of a folder is
 * kept: on the way up it is opened as the parent of the one below, and must be the same.
 */
export class HeldFolders {
  readonly #rungs: HeldFolder[];

  /** `top` stays the caller's to close. */
  constructor(top: Descriptor, { dev, ino }: Stat) {
    this.#rungs = [{ dev, ino, folder: top }];
  }

  get here(): Descriptor {
    return this.#rungs.at(-1)?.folder as Descriptor;
  }

  /** How many folders below the top. */
  get depth(): number {
    return this.#rungs.length - 1;
  }

  *down(name: Bytes): Work<Stat> {
    const folder = yield* open(this.here.mount, inFolder(this.here, name), FOLDER);
    let found: Stat;
    try {
      found = yield* fstat(folder);
    } catch (thrown) {
      yield* close(folder);
      throw thrown;
    }
    this.#rungs.push({ dev: found.dev, ino: found.ino, folder });
    // The top is not ours to close.
    const far = this.#rungs[this.#rungs.length - 1 - HELD];
    if (far !== undefined && far !== this.#rungs[0]) yield* this.#letGo(far);
    return found;
  }

  *up(): Work<void> {
    const above = this.#rungs.at(-2) as HeldFolder;
    above.folder ??= yield* this.#openAbove(above);
    const left = this.#rungs.pop() as HeldFolder;
    yield* this.#letGo(left);
  }

  /** Lets go of all that is held but the top. */
  *close(): Work<void> {
    for (const rung of this.#rungs.splice(1)) yield* this.#letGo(rung);
  }

  *#openAbove({ dev, ino }: HeldFolder): Work<Descriptor> {
    const folder = yield* open(this.here.mount, inFolder(this.here, ".."), FOLDER);
    try {
      const found = yield* fstat(folder);
      if (found.dev === dev && found.ino === ino) return folder;
    } catch (thrown) {
      yield* close(folder);
      throw thrown;
    }
    yield* close(folder);
    throw new LostWayError("a folder was moved away");
  }

  *#letGo(rung: HeldFolder): Work<void> {
    const { folder } = rung;
    rung.folder = null;
    if (folder !== null) yield* close(folder);
  }
}
