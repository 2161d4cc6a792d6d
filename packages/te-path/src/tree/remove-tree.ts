import { WriteFailedError } from "@llmc/errors";
import { type Bytes, displayBelow } from "@llmc/names";
import { kindOf } from "../kernel/kind.js";
import { close, hasCode, inFolder, lstat, open, rmdir, unlink, type Stat, type Work } from "../kernel/syscalls.js";
import { FOLDER } from "../scope/root.js";
import type { Place } from "../scope/target.js";
import type { Progress } from "./progress.js";
import { walkBelow, type Met, type MetFolder } from "./walk-below.js";

/** How much is gone; also when the removal ends in an error. */
export interface Tally {
  removed: number;
}

export interface RemoveTreeOptions {
  /** What is removed, for errors. */
  readonly shown: string;
  readonly tally?: Tally;
  readonly progress?: Progress;
  /** Files and links of which this is false stay, and so do the folders that hold them. */
  readonly only?: ((stat: Stat) => boolean) | undefined;
}

/** How often a folder is gone through that is not empty afterwards, because others add to it. */
const PASSES = 10;

/** Removes a file, a link, or a folder with all below it; what somebody else removes meanwhile is no failure. */
export function* removeTree({ parent, name }: Pick<Place, "parent" | "name">, options: RemoveTreeOptions): Work<void> {
  const remover = new Remover(options);
  const found = yield* lstat(parent.mount, inFolder(parent, name));
  if (found === undefined) return;
  const top = { parent, name, way: () => [] };
  if (kindOf(found) !== "folder") return yield* remover.leaf(top);
  for (let passes = 1; ; passes++) {
    const folder = yield* open(parent.mount, inFolder(parent, name), FOLDER);
    try {
      yield* walkBelow(folder, remover, options);
    } finally {
      yield* close(folder);
    }
    if ((yield* remover.leave({ ...top, passes })) === undefined) return;
  }
}

class Remover {
  readonly #options: RemoveTreeOptions;
  readonly #tally: Tally;

  constructor(options: RemoveTreeOptions) {
    this.#options = options;
    this.#tally = options.tally ?? { removed: 0 };
  }

  *leaf({ parent, name }: Met): Work<void> {
    const path = inFolder(parent, name);
    const { only } = this.#options;
    if (only !== undefined) {
      const stat = yield* lstat(parent.mount, path);
      if (stat === undefined || !only(stat)) return;
    }
    try {
      yield* unlink(parent.mount, path);
      this.#count();
    } catch (thrown) {
      // Gone; or a folder by now, which the next pass walks through.
      if (!hasCode(thrown, "ENOENT", "EISDIR")) throw thrown;
    }
  }

  *leave({ parent, name, passes, way }: Omit<MetFolder, "stat">): Work<"again" | undefined> {
    try {
      yield* rmdir(parent.mount, inFolder(parent, name));
      this.#count();
    } catch (thrown) {
      if (hasCode(thrown, "ENOTEMPTY", "EEXIST")) return this.#onceMore(passes, way());
      // Gone, or swapped for something that the pass through the folder around it takes.
      if (!hasCode(thrown, "ENOENT", "ENOTDIR")) throw thrown;
    }
    return undefined;
  }

  #onceMore(passes: number, way: readonly Bytes[]): "again" | undefined {
    if (this.#options.only !== undefined) return undefined;
    if (passes < PASSES) return "again";
    throw new WriteFailedError(
      displayBelow(this.#options.shown, way),
      "something keeps adding to it while it is removed",
      {
        hint: "Stop what writes there, then try again.",
      },
    );
  }

  #count(): void {
    this.#tally.removed += 1;
    this.#options.progress?.tick(() => `${this.#tally.removed} entries removed`);
  }
}
