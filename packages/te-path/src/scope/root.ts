import { constants } from "node:fs";
import { NotADirectoryError, NotFoundError } from "@llmc/errors";
import { type Bytes, namesOf, textOf } from "@llmc/names";
import { close, fstat, hasCode, inFolder, open, type Descriptor, type Stat, type Work } from "../kernel/syscalls.js";

// Node has no name for it; the value is the same on every architecture that Node runs on.
const O_PATH = 0o10000000;
/** Names the thing without opening it: no FIFO waits, no device starts, no link is followed. */
export const LOOK = O_PATH | constants.O_NOFOLLOW;
export const FOLDER = LOOK | constants.O_DIRECTORY;
const READ_FOLDER = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY;

export interface Entered {
  readonly folder: Descriptor;
  /** Where it has been looked at already. */
  readonly stat?: Stat;
}

interface Held {
  readonly folder: Descriptor;
  /** Nobody else's while it is held. */
  readonly id: Pick<Stat, "dev" | "ino">;
  users: number;
}

/** A folder that callers may use, held open so that what happens to its name does not lead elsewhere. */
export class Root {
  /** As the operator spelled it. */
  readonly path: Bytes;
  readonly #find: () => Work<{ readonly entry: Descriptor; readonly real: Bytes }>;
  #real: Bytes | undefined;
  #held: Held | undefined;

  /** `find` opens it for the first time, following links; a root on a network mount is opened at its first use. */
  constructor(path: Bytes, find: () => Work<{ readonly entry: Descriptor; readonly real: Bytes }>) {
    this.path = path;
    this.#find = find;
  }

  /** Without links; fixed when the root is first opened. */
  get real(): Bytes {
    return this.#real ?? this.path;
  }

  /** Returns whether the root was opened once, so that `real` is known. */
  get isResolved(): boolean {
    return this.#real !== undefined;
  }

  *resolve(): Work<void> {
    if (this.#real !== undefined) return;
    const { entry, real } = yield* this.#find();
    const held = yield* hold(entry);
    if (this.#real === undefined) {
      this.#real = real;
      this.#held = held;
    } else yield* close(entry);
  }

  /** A descriptor of its own for one walk. Where the folder was replaced since, it is the one that has the name now. */
  *enter(mount: Bytes | null, toSync = false): Work<Entered> {
    return (yield* this.#byPath(mount, toSync)) ?? { folder: yield* this.#copy(mount, yield* this.#reopen(mount)) };
  }

  /** Walks that are under way keep the folder until they are done. */
  *release(): Work<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held?.users === 0) yield* close(held.folder);
  }

  /** Whatever the path leads through by now: it is the folder that is held, or nothing. */
  *#byPath(mount: Bytes | null, toSync: boolean): Work<Entered | undefined> {
    if (this.#held === undefined) return undefined;
    const folder = yield* openThere(mount, this.real, toSync);
    if (folder === undefined) return undefined;
    try {
      const stat = yield* fstat(folder);
      if (isThat(stat, this.#held)) return { folder, stat };
    } catch (thrown) {
      yield* close(folder);
      throw thrown;
    }
    yield* close(folder);
    return undefined;
  }

  *#copy(mount: Bytes | null, held: Held): Work<Descriptor> {
    // Between the calls of one walk another may replace the root: a number that was closed may be another file by then.
    held.users += 1;
    try {
      return yield* open(mount, inFolder(held.folder, "."), FOLDER);
    } finally {
      held.users -= 1;
      if (held !== this.#held && held.users === 0) yield* close(held.folder);
    }
  }

  *#reopen(mount: Bytes | null): Work<Held> {
    const held = yield* hold(yield* this.#openReal(mount));
    yield* this.release();
    this.#held = held;
    return held;
  }

  /** By the path of the start and through no link: whoever replaced a part of it by a link gains nothing. */
  *#openReal(mount: Bytes | null): Work<Descriptor> {
    let folder = yield* open(mount, "/", FOLDER);
    for (const name of namesOf(this.real)) {
      const parent = folder;
      try {
        folder = yield* open(mount, inFolder(parent, name), FOLDER);
      } catch (thrown) {
        throw this.#gone(thrown);
      } finally {
        yield* close(parent);
      }
    }
    return folder;
  }

  #gone(thrown: unknown): unknown {
    if (hasCode(thrown, "ENOENT"))
      return new NotFoundError(textOf(this.path), "This root has gone since the server started.");
    const hint =
      "A link or a file has taken the place of this root, or of a folder above it, since the server started.";
    return hasCode(thrown, "ENOTDIR", "ELOOP") ? new NotADirectoryError(textOf(this.path), hint) : thrown;
  }
}

/** To be walked from; and to be synced, where it may be read and that is no long way. */
export function* openFolder(mount: Bytes | null, path: Bytes, toSync: boolean): Work<Descriptor> {
  if (!toSync || mount !== null) return yield* open(mount, path, FOLDER);
  try {
    return { ...(yield* open(mount, path, READ_FOLDER)), canSync: true };
  } catch (thrown) {
    if (!hasCode(thrown, "EACCES", "EPERM")) throw thrown;
  }
  return yield* open(mount, path, FOLDER);
}

/** Closes it where it cannot be held. */
function* hold(folder: Descriptor): Work<Held> {
  try {
    const { dev, ino } = yield* fstat(folder);
    return { folder, id: { dev, ino }, users: 0 };
  } catch (thrown) {
    yield* close(folder);
    throw thrown;
  }
}

function isThat({ dev, ino }: Stat, held: Held | undefined): boolean {
  return held !== undefined && dev === held.id.dev && ino === held.id.ino;
}

function* openThere(mount: Bytes | null, path: Bytes, toSync: boolean): Work<Descriptor | undefined> {
  try {
    return yield* openFolder(mount, path, toSync);
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
    throw thrown;
  }
}
