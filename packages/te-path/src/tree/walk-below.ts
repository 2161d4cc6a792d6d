import { OpsError, PermissionDeniedError, WriteFailedError } from "@llmc/errors";
import { type Bytes, displayBelow } from "@llmc/names";
import { fromChangeErrno } from "../kernel/errno.js";
import type { Listed } from "../kernel/listing.js";
import { fstat, hasCode, type Descriptor, type Stat, type Work } from "../kernel/syscalls.js";
import { eachListed } from "./each-listed.js";
import { HeldFolders, LostWayError } from "./held-folders.js";

/** Something below the folder that is walked, met in the folder that holds it. */
export interface Met {
  /** Open while the visit lasts. */
  readonly parent: Descriptor;
  readonly name: Bytes;
  /** Its names from the top on, its own last. */
  readonly way: () => Bytes[];
}

/** A folder that is entered or left. */
export interface MetFolder extends Met {
  readonly stat: Stat;
  /** How often it was walked through by now. */
  readonly passes: number;
}

export interface Visitor {
  /** What was no folder when it was listed; by now it may be anything, or gone. */
  leaf(met: Met): Work<void>;
  /** Before what the folder holds; `held` is the folder itself. */
  enter?(folder: MetFolder & { readonly held: Descriptor }): Work<void>;
  /** After it; "again" walks through the folder once more. */
  leave?(folder: MetFolder): Work<"again" | undefined>;
}

interface Frame {
  readonly name: Bytes;
  readonly stat: Stat;
  passes: number;
  /** Folders in it that are still to be walked. */
  folders: Bytes[];
}

export interface WalkBelowOptions {
  /** What the top is called in errors. */
  readonly shown: string;
}

/**
 * Visits all that lies below a folder that is held open, at any depth: no recursion, few descriptors, and of each
 * folder on the way only the names of its sub-folders in memory. Stays on the top's file system.
 */
export function* walkBelow(top: Descriptor, visitor: Visitor, { shown }: WalkBelowOptions): Work<void> {
  const walker = new Walker(top, yield* fstat(top), visitor);
  try {
    yield* walker.walk();
  } catch (thrown) {
    throw told(thrown, shown, walker.way());
  } finally {
    yield* walker.close();
  }
}

class Walker {
  readonly #ladder: HeldFolders;
  readonly #dev: bigint;
  readonly #visitor: Visitor;
  readonly #frames: Frame[];
  #at: Bytes | undefined;
  readonly way = (): Bytes[] => {
    const names = this.#frames.slice(1).map(({ name }) => name);
    return this.#at === undefined ? names : [...names, this.#at];
  };

  constructor(top: Descriptor, stat: Stat, visitor: Visitor) {
    this.#ladder = new HeldFolders(top, stat);
    this.#dev = stat.dev;
    this.#visitor = visitor;
    this.#frames = [{ name: ".", stat, passes: 0, folders: [] }];
  }

  *walk(): Work<void> {
    yield* this.#look(this.#frame);
    for (;;) {
      const name = this.#frame.folders.pop();
      if (name !== undefined) yield* this.#enter(name);
      else if (this.#frames.length === 1) return;
      else yield* this.#leave();
    }
  }

  *close(): Work<void> {
    yield* this.#ladder.close();
  }

  get #frame(): Frame {
    return this.#frames.at(-1) as Frame;
  }

  /** First all that are no folders, while they are listed; the names of folders are kept for later. */
  *#look(frame: Frame): Work<void> {
    yield* eachListed(this.#ladder.here, (some) => this.#sort(frame, some));
  }

  *#sort({ folders }: Frame, some: readonly Listed[]): Work<void> {
    for (const { name, isFolder } of some) {
      if (isFolder) folders.push(name);
      else yield* this.#leaf(name);
    }
  }

  *#leaf(name: Bytes): Work<void> {
    this.#at = name;
    yield* this.#visitor.leaf({ parent: this.#ladder.here, name, way: this.way });
    this.#at = undefined;
  }

  *#enter(name: Bytes): Work<void> {
    const parent = this.#ladder.here;
    this.#at = name;
    let stat: Stat;
    try {
      stat = yield* this.#ladder.down(name);
    } catch (thrown) {
      // Gone or replaced since it was listed.
      if (hasCode(thrown, "ENOENT")) return;
      if (hasCode(thrown, "ENOTDIR", "ELOOP")) return yield* this.#leaf(name);
      throw thrown;
    }
    this.#at = undefined;
    const frame = { name, stat, passes: 0, folders: [] };
    this.#frames.push(frame);
    if (stat.dev !== this.#dev) throw new ForeignError();
    const met = { parent, name, stat, passes: 0, way: this.way, held: this.#ladder.here };
    if (this.#visitor.enter !== undefined) yield* this.#visitor.enter(met);
    yield* this.#look(frame);
  }

  *#leave(): Work<void> {
    yield* this.#ladder.up();
    const { name, stat, passes } = this.#frames.pop() as Frame;
    this.#at = name;
    const parent = this.#ladder.here;
    const met = { parent, name, stat, passes: passes + 1, way: this.way };
    const wish = this.#visitor.leave === undefined ? undefined : yield* this.#visitor.leave(met);
    this.#at = undefined;
    if (wish === "again") yield* this.#enterAgain(name, passes + 1);
  }

  *#enterAgain(name: Bytes, passes: number): Work<void> {
    const depth = this.#frames.length;
    yield* this.#enter(name);
    if (this.#frames.length > depth) this.#frame.passes = passes;
  }
}

/** Another file system begins there. */
class ForeignError extends Error {}

function told(thrown: unknown, shown: string, way: readonly Bytes[]): unknown {
  if (OpsError.is(thrown)) return thrown;
  const where = displayBelow(shown, way);
  if (thrown instanceof ForeignError)
    return new PermissionDeniedError(where, { hint: "Another file system begins there: name what lies in it itself." });
  if (thrown instanceof LostWayError)
    return new WriteFailedError(where, "its folders were moved meanwhile", { hint: "Try again.", cause: thrown });
  return fromChangeErrno(thrown, where);
}
