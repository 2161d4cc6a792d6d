import type { Bytes } from "../kernel/syscalls.js";
import { DOT, SLASH, sizeOf, unitAt } from "./characters.js";
import type { Maybe, Place } from "./nfa.js";

/** All places that a pattern can be at after what has been read, and where it goes from there as far as is known. */
export interface State {
  readonly places: readonly Place[];
  /** At the start of a name, where a dot has to be named. Told apart only where that matters. */
  readonly fresh: boolean;
  /** The last rule that accepts a file here, and that accepts a folder; -1: none. */
  readonly file: number;
  readonly folder: number;
  /** Nothing longer matches. */
  readonly dead: boolean;
  /** Everything longer matches. */
  readonly all: boolean;
  readonly low: (State | undefined)[];
  high: Map<number, State> | undefined;
}

const LOW = 128;
// Of places and table entries together: about 4 MB.
const MAX_KEPT = 300_000;

export interface AutomatonOptions {
  /** Wildcards take a dot at the start of a name. */
  readonly dot: boolean;
  /** Every byte is a unit, not every character. */
  readonly bytewise?: boolean;
}

/**
 * Follows all ways through a pattern at once, so that no pattern can make it go back. A set of places that was met
 * before is looked up, not computed; what is kept is bounded, and all forgotten when it grows beyond that.
 */
export class Automaton {
  readonly #first: Maybe;
  readonly #dot: boolean;
  readonly #bytewise: boolean;
  readonly #known = new Map<string, State>();
  readonly #marks: number[] = [];
  #mark = 0;
  #kept = 0;
  #start: State | undefined;
  /** Places looked at so far. A test watches how it grows. */
  work = 0;

  constructor(first: Maybe, { dot, bytewise = false }: AutomatonOptions) {
    this.#first = first;
    this.#dot = dot;
    this.#bytewise = bytewise;
  }

  get start(): State {
    return (this.#start ??= this.#state(this.#first === undefined ? [] : [this.#first], !this.#dot));
  }

  /** Where this stretch of a path leads. */
  reach(path: Bytes, from: number, to: number, start = this.start): State {
    let state = start;
    for (let at = from; at < to && state !== NOWHERE;) {
      const byte = path.charCodeAt(at);
      if (byte < LOW || this.#bytewise) {
        state = state.low[byte] ?? this.next(state, byte);
        at += 1;
      } else {
        const unit = unitAt(path, at);
        state = this.next(state, unit);
        at += sizeOf(unit);
      }
    }
    return state;
  }

  next(state: State, unit: number): State {
    return (unit < LOW ? state.low[unit] : state.high?.get(unit)) ?? this.#step(state, unit);
  }

  #step(state: State, unit: number): State {
    const hidden = state.fresh && unit === DOT;
    const reached: Place[] = [];
    this.work += state.places.length;
    for (const place of state.places) {
      if (takes(place, unit, hidden)) reached.push(place.out[0] as Place);
    }
    const next = this.#state(reached, !this.#dot && unit === SLASH);
    if (unit < LOW) state.low[unit] = next;
    else {
      this.#keep(1);
      (state.high ??= new Map<number, State>()).set(unit, next);
    }
    return next;
  }

  #state(reached: Place[], fresh: boolean): State {
    const places = this.#closure(reached);
    if (places.length === 0) return NOWHERE;
    const key = `${fresh ? "/" : ""}${places.map(({ id }) => id).join()}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#keep(places.length + LOW);
    const state = describe(places, fresh, this.#dot);
    this.#known.set(key, state);
    return state;
  }

  #keep(entries: number): void {
    this.#kept += entries;
    if (this.#kept <= MAX_KEPT) return;
    for (const state of this.#known.values()) forget(state);
    this.#known.clear();
    this.#start = undefined;
    this.#kept = entries;
  }

  /** Where one can be without reading anything more, in the order of ids. */
  #closure(reached: Place[]): Place[] {
    const mark = ++this.#mark;
    const found: Place[] = [];
    for (let place = reached.pop(); place !== undefined; place = reached.pop()) {
      this.work += 1;
      if (this.#marks[place.id] === mark) continue;
      this.#marks[place.id] = mark;
      if (place.kind === "split") reached.push(...place.out);
      else found.push(place);
    }
    return found.sort((a, b) => a.id - b.id);
  }
}

const NOWHERE = describe([], false, false);

function takes({ kind, value, set, special }: Place, unit: number, hidden: boolean): boolean {
  if (kind === "char") return value === unit && (special || !hidden);
  if (hidden) return false;
  if (kind === "set") return unit !== SLASH && set?.(unit) === true;
  return kind === "every" || (kind === "any" && unit !== SLASH);
}

function describe(places: readonly Place[], fresh: boolean, dot: boolean): State {
  const ends = places.filter(({ kind }) => kind === "accept");
  return {
    places,
    fresh,
    file: last(ends.filter(({ special }) => !special)),
    folder: last(ends),
    dead: places.length === ends.length,
    all: dot && places.some(({ kind, special }) => kind === "every" && special),
    low: Array.from<State | undefined>({ length: LOW }),
    high: undefined,
  };
}

function last(ends: readonly Place[]): number {
  return ends.reduce((most, { value }) => Math.max(most, value), -1);
}

/** A walk that is still at this state goes on from it; what it knew must not keep the others alive. */
function forget(state: State): void {
  state.low.fill(undefined);
  state.high = undefined;
}
