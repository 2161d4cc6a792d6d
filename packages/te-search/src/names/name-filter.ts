import type { Bytes } from "@llmc/names";
import type { Facts, FactsFilter, GlobFilter } from "./filters.js";
import { Kept, type KeptBounds, type Match } from "./kept.js";
import type { FoundBy } from "../query/names-query.js";
import { NO_MATCH } from "./place.js";
import type { Trial } from "./trial.js";

export interface Name extends Facts {
  readonly name: Bytes;
}

/** What a walk meets: some names of one folder. */
export interface Folder {
  readonly way: Bytes;
  readonly names: readonly Name[];
}

/** Takes names as they are met, and keeps those that are asked for. A promise: no more until then. */
export interface NameFilter {
  take(folder: Folder): void | Promise<void>;
  /** When all was met. */
  end(): Promise<void>;
  /** What was found by the first way to understand the pattern that finds anything. */
  found(): { readonly by: FoundBy; readonly total: number; readonly best: readonly Match[] };
}

export interface NameFilterOptions extends KeptBounds {
  readonly globs: GlobFilter | undefined;
  readonly facts: FactsFilter | undefined;
  /** What entries say of themselves; undefined for what is gone. */
  readonly look: (ways: readonly Bytes[]) => Promise<readonly (Facts | undefined)[]>;
  /** Whoever gives the names was fooled by a path, maybe: what matches is looked at before it counts. */
  readonly trusted: boolean;
}

interface Waiting {
  readonly nth: number;
  readonly match: Match;
}

const LOOKED_AT_ONCE = 256;
/** A way is no longer than a path of the kernel's, mostly. */
const RANK_ROOM = 2 ** 16;

/** Those that stand the pattern go on to the other conditions, cheapest first. */
export class FilterChain {
  readonly #options: NameFilterOptions;
  readonly #trials: readonly Pick<Trial, "by" | "order">[];
  readonly #kept: readonly Kept[];
  #waiting: Waiting[] = [];
  /** How many of the trials still matter: none after one that has found something. */
  open: number;

  constructor(trials: readonly Pick<Trial, "by" | "order">[], options: NameFilterOptions) {
    this.#options = options;
    this.#trials = trials;
    this.#kept = trials.map(() => new Kept(options));
    this.open = trials.length;
  }

  couldTakeIn(folder: Bytes): boolean {
    return this.#options.globs?.couldTakeIn(folder) ?? true;
  }

  /** A name that the nth trial matches at this place. */
  add(nth: number, way: Bytes, found: Facts, place: number): void {
    const { globs, facts, trusted } = this.#options;
    const { kind } = found;
    if (globs?.takes(way, kind === "folder") === false) return;
    const fits = facts === undefined || facts(found, false);
    if (fits === false) return;
    const match = { way, kind, rank: place * RANK_ROOM + weightOf(way, this.#trials[nth]?.order) };
    if (fits === true && trusted) this.#keep(nth, match);
    else this.#waiting.push({ nth, match });
  }

  get isFull(): boolean {
    return this.#waiting.length >= LOOKED_AT_ONCE;
  }

  async lookAtWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = this.#waiting.slice(0, LOOKED_AT_ONCE);
      this.#waiting = this.#waiting.slice(LOOKED_AT_ONCE);
      const found = await this.#options.look(some.map(({ match }) => match.way));
      some.forEach(({ nth, match: { way, rank } }, at) => {
        const facts = found[at];
        if (facts === undefined || this.#options.facts?.(facts, true) === false) return;
        const { kind, size, mtimeMs } = facts;
        this.#keep(nth, { way, kind, rank, size, mtimeMs });
      });
    }
  }

  found(): ReturnType<NameFilter["found"]> {
    const nth = Math.max(
      0,
      this.#kept.findIndex(({ total }) => total > 0),
    );
    const [kept, trial] = [this.#kept[nth] as Kept, this.#trials[nth] as Trial];
    return { by: trial.by, total: kept.total, best: kept.best() };
  }

  #keep(nth: number, match: Match): void {
    this.open = Math.min(this.open, nth + 1);
    this.#kept[nth]?.add(match);
  }
}

function weightOf(way: Bytes, order: Trial["order"] | undefined): number {
  if (order === "short") return Math.min(way.length, RANK_ROOM - 1);
  let depth = 0;
  for (let at = way.indexOf("/"); at >= 0; at = way.indexOf("/", at + 1)) depth += 1;
  return depth;
}

/** So many names of one folder before others get their turn. */
const NAMES_AT_ONCE = 8192;

export function trialFilter(trials: readonly Trial[], options: NameFilterOptions): NameFilter {
  const funnel = new FilterChain(trials, options);

  const takeSome = ({ way, names }: Folder, from: number, to: number): void => {
    const path = way === "" ? "" : `${way}/`;
    for (let nth = 0; nth < funnel.open; nth++) {
      const trial = trials[nth] as Trial;
      if (!trial.enter(way)) continue;
      for (let at = from; at < to; at++) {
        const found = names[at] as Name;
        const place = trial.place(found.name, found.kind === "folder");
        if (place !== NO_MATCH) funnel.add(nth, path + found.name, found, place);
      }
    }
  };

  const takeMany = async (folder: Folder): Promise<void> => {
    for (let from = 0; from < folder.names.length; from += NAMES_AT_ONCE) {
      takeSome(folder, from, Math.min(from + NAMES_AT_ONCE, folder.names.length));
      await funnel.lookAtWaiting();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  return {
    take(folder) {
      if (!funnel.couldTakeIn(folder.way)) return undefined;
      if (folder.names.length > NAMES_AT_ONCE) return takeMany(folder);
      takeSome(folder, 0, folder.names.length);
      return funnel.isFull ? funnel.lookAtWaiting() : undefined;
    },
    end: () => funnel.lookAtWaiting(),
    found: () => funnel.found(),
  };
}
