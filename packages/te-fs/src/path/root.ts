import { constants } from "node:fs";
import { NotADirectoryError, NotFoundError } from "@llmc/errors";
import {
  close,
  fstat,
  hasCode,
  inFolder,
  lstat,
  open,
  type Bytes,
  type Descriptor,
  type Stat,
  type Steps,
} from "../kernel/syscalls.js";
import { namesOf, textOf } from "./names.js";

// Node has no name for it; the value is the same on every architecture that Node runs on.
const O_PATH = 0o10000000;
/** Names the thing without opening it: no FIFO waits, no device starts, no link is followed. */
export const LOOK = O_PATH | constants.O_NOFOLLOW;
export const FOLDER = LOOK | constants.O_DIRECTORY;

export interface Entered {
  readonly folder: Descriptor;
  /** Where it has been looked at already. */
  readonly stat?: Stat;
}

interface Held {
  readonly folder: Descriptor;
  users: number;
}

/** A folder that callers may use, held open so that what happens to its name does not lead elsewhere. */
export class Root {
  /** As the operator spelled it. */
  readonly path: Bytes;
  readonly #find: () => Steps<{ readonly entry: Descriptor; readonly real: Bytes }>;
  #real: Bytes | undefined;
  #held: Held | undefined;

  /** `find` opens it for the first time, following links; a root on a network mount is opened at its first use. */
  constructor(path: Bytes, find: () => Steps<{ readonly entry: Descriptor; readonly real: Bytes }>) {
    this.path = path;
    this.#find = find;
  }

  /** Without links; fixed when the root is first opened. */
  get real(): Bytes {
    return this.#real ?? this.path;
  }

  *resolve(): Steps<void> {
    if (this.#real !== undefined) return;
    const { entry, real } = yield* this.#find();
    if (this.#real === undefined) {
      this.#real = real;
      this.#held = { folder: entry, users: 0 };
    } else yield* close(entry);
  }

  /** A descriptor of its own for one walk. Where the folder was replaced since, it is the one that has the name now. */
  *enter(mount: Bytes | null): Steps<Entered> {
    const folder = yield* this.#copy(mount, this.#held ?? (yield* this.#reopen(mount)));
    try {
      const [mine, named] = [yield* fstat(folder), yield* lstat(mount, this.real)];
      if (named !== undefined && mine.dev === named.dev && mine.ino === named.ino) return { folder, stat: mine };
    } catch (thrown) {
      yield* close(folder);
      throw thrown;
    }
    yield* close(folder);
    return { folder: yield* this.#copy(mount, yield* this.#reopen(mount)) };
  }

  /** Walks that are under way keep the folder until they are done. */
  *release(): Steps<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held?.users === 0) yield* close(held.folder);
  }

  *#copy(mount: Bytes | null, held: Held): Steps<Descriptor> {
    // Between the calls of one walk another may replace the root: a number that was closed may be another file by then.
    held.users += 1;
    try {
      return yield* open(mount, inFolder(held.folder, "."), FOLDER);
    } finally {
      held.users -= 1;
      if (held !== this.#held && held.users === 0) yield* close(held.folder);
    }
  }

  *#reopen(mount: Bytes | null): Steps<Held> {
    const folder = yield* this.#openReal(mount);
    yield* this.release();
    this.#held = { folder, users: 0 };
    return this.#held;
  }

  /** By the path of the start and through no link: whoever replaced a part of it by a link gains nothing. */
  *#openReal(mount: Bytes | null): Steps<Descriptor> {
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
    return hasCode(thrown, "ENOTDIR", "ELOOP") ? new NotADirectoryError(textOf(this.path)) : thrown;
  }
}
