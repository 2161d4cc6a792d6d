import type { Bytes } from "@llmc/names";
import { close, fstat, inFolder, open, type Descriptor, type Stat, type Work } from "../kernel/syscalls.js";
import { FOLDER } from "../scope/root.js";
import type { Scope } from "../scope/scope.js";

/** Where a folder is: below which other one, and under which name. */
export interface FolderPath {
  readonly above: FolderPath | undefined;
  readonly name: Bytes;
  /** Without links, for guards and messages. */
  readonly real: Bytes;
  /** As the caller spells it. */
  readonly path: string;
  /** How many folders it lies below the listed one. */
  readonly depth: number;
}

export interface Entered {
  readonly folder: Descriptor;
  readonly stat: Stat;
}

interface Step extends Entered {
  readonly place: FolderPath;
}

/** The kernel itself talks below it. */
export class ClosedHereError extends Error {}

/**
 * The folders held open from the listed one down to the one that was entered last. Each is opened by its name in the one
 * above it, which is held, and never through a link: what is swapped in meanwhile leads nowhere.
 */
export class Descent {
  readonly #scope: Scope;
  readonly #steps: Step[];

  /** Takes over the descriptor of the listed folder. */
  constructor(scope: Scope, top: FolderPath, folder: Descriptor, stat: Stat) {
    this.#scope = scope;
    this.#steps = [{ place: top, folder, stat }];
  }

  /** Open until the next one is entered. */
  *enter(place: FolderPath): Work<Entered> {
    const way = wayTo(place);
    const common = this.#steps.findIndex((step, depth) => step.place !== way[depth]);
    if (common > 0) yield* this.#letGo(common);
    for (const next of way.slice(this.#steps.length)) this.#steps.push(yield* this.#open(next));
    return this.#steps.at(-1) as Step;
  }

  *end(): Work<void> {
    yield* this.#letGo(0);
  }

  *#open(place: FolderPath): Work<Step> {
    const { folder: parent } = this.#steps.at(-1) as Step;
    const { forbidden, mounts } = this.#scope;
    if (forbidden.isSystem(place.real)) throw new ClosedHereError();
    const mount = mounts.network(place.real);
    const folder = yield* open(mount, inFolder(parent, place.name), FOLDER);
    try {
      const stat = yield* fstat(folder);
      yield* forbidden.refuseFound(stat, mount, place.path);
      return { place, folder, stat };
    } catch (thrown) {
      yield* close(folder);
      throw thrown;
    }
  }

  *#letGo(from: number): Work<void> {
    for (const { folder } of this.#steps.splice(from).toReversed()) yield* close(folder);
  }
}

function wayTo(place: FolderPath): FolderPath[] {
  const way: FolderPath[] = [];
  for (let at: FolderPath | undefined = place; at !== undefined; at = at.above) way.unshift(at);
  return way;
}
