import type { Bytes } from "../path/bytes.js";
import { DOT, SLASH, sizeOf, unitAt } from "./characters.js";
import { hold } from "./memory.js";
import type { Place } from "./nfa.js";
import { ACCEPT, ANY, CHAR, EVERY, SET, SPLIT, programOf, type Program } from "./program.js";

/** All places that a pattern can be at after what has been read, and where it goes from there as far as is known. */
export interface State {
  readonly places: Int32Array;
  /** At the start of a name, where a dot has to be named. Told apart only where that matters. */
  readonly fresh: boolean;
  /** The last rule that accepts a file here, and that accepts a folder; -1: none. */
  readonly file: number;
  readonly folder: number;
  /** Nothing matches any more. */
  readonly dead: boolean;
  /** Everything longer matches. */
  readonly all: boolean;
  /** Worth to be known again: the tables of others are empty. */
  readonly kept: boolean;
  readonly low: (State | undefined)[];
  high: Map<number, State> | undefined;
}

export interface AutomatonOptions {
  /** Wildcards take a dot at the start of a name. */
  readonly dot: boolean;
  /** Every byte is a unit, not every character. */
  readonly bytewise?: boolean;
}

const LOW = 128;
const STATE_BYTES = 1500;
const EDGE_BYTES = 50;
const PLACE_BYTES = 40;

// A pattern that leads to a new state at every turn has no use for what it kept, and fills the heap with it.
const FREELY_KEPT = 256;
const UNITS_FOR_ONE = 32;

const NOWHERE: State = {
  places: new Int32Array(),
  fresh: false,
  file: -1,
  folder: -1,
  dead: true,
  all: false,
  kept: true,
  low: [],
  high: undefined,
};

/**
 * Follows all ways through a pattern at once, so that no pattern can make it go back. A set of places that was met
 * before is looked up, not computed, as long as there is memory for it.
 */
export class Automaton {
  readonly #program: Program;
  readonly #dot: boolean;
  readonly #bytewise: boolean;
  readonly #known = new Map<number, State[]>();
  #start: State | undefined;

  // The set that is being put together: places that are in it bear the mark of this step.
  readonly #marks: Float64Array;
  readonly #found: Int32Array;
  readonly #open: number[] = [];
  #units = 0;
  #states = 0;
  #mark = 0;
  #count = 0;
  #hash = 0;

  /** Places looked at so far. A test watches how it grows. */
  work = 0;

  constructor(start: Place, { dot, bytewise = false }: AutomatonOptions) {
    this.#program = programOf(start);
    this.#dot = dot;
    this.#bytewise = bytewise;
    this.#marks = new Float64Array(this.#program.size);
    this.#found = new Int32Array(this.#program.size);
  }

  get start(): State {
    if (this.#start === undefined) {
      hold(this, PLACE_BYTES * this.#program.size);
      this.#begin();
      this.#add(0);
      this.#start = this.#state(!this.#dot);
    }
    return this.#start;
  }

  /** Where this stretch of a path leads. */
  reach(path: Bytes, from: number, to: number, start = this.start): State {
    this.#units += to - from;
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

  /** A path may be on its way: from the state where it is, it goes on without what that knew. */
  forget(): void {
    for (const states of this.#known.values()) states.forEach(forget);
    this.#known.clear();
    this.#start = undefined;
    this.#units = 0;
    this.#states = 0;
  }

  #step(state: State, unit: number): State {
    const { first, out } = this.#program;
    const hidden = state.fresh && unit === DOT;
    this.#begin();
    this.work += state.places.length;
    for (const place of state.places) {
      if (this.#takes(place, unit, hidden)) this.#add(out[first[place] as number] as number);
    }
    const next = this.#state(!this.#dot && unit === SLASH);
    if (!state.kept || !next.kept) return next;
    if (unit < LOW) state.low[unit] = next;
    else {
      hold(this, EDGE_BYTES);
      (state.high ??= new Map<number, State>()).set(unit, next);
    }
    return next;
  }

  #takes(place: number, unit: number, hidden: boolean): boolean {
    const { kind, value, special, sets } = this.#program;
    if (kind[place] === CHAR) return value[place] === unit && (!hidden || special[place] === 1);
    if (hidden) return false;
    if (kind[place] === ANY) return unit !== SLASH;
    if (kind[place] === SET) return unit !== SLASH && sets[place]?.(unit) === true;
    return kind[place] === EVERY;
  }

  #begin(): void {
    this.#mark += 1;
    this.#count = 0;
    this.#hash = 0;
  }

  /** Adds a place, or all that a fork leads to. */
  #add(place: number): void {
    const { kind, first, out, codes } = this.#program;
    this.#open.push(place);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      this.work += 1;
      if (this.#marks[next] === this.#mark) continue;
      this.#marks[next] = this.#mark;
      if (kind[next] === SPLIT) {
        for (let way = first[next] as number; way < (first[next + 1] as number); way++)
          this.#open.push(out[way] as number);
      } else {
        this.#found[this.#count++] = next;
        this.#hash = (this.#hash + (codes[next] as number)) | 0;
      }
    }
  }

  #state(fresh: boolean): State {
    if (this.#count === 0) return NOWHERE;
    const alike = this.#known.get(this.#hash);
    const known = alike?.find((state) => state.fresh === fresh && this.#isFound(state.places));
    if (known !== undefined) return known;
    const places = this.#found.slice(0, this.#count);
    const kept = this.#states < FREELY_KEPT + this.#units / UNITS_FOR_ONE;
    const state = describe(this.#program, places, { fresh, dot: this.#dot, kept });
    if (kept) this.#keep(state);
    return state;
  }

  #keep(state: State): void {
    this.#states += 1;
    hold(this, STATE_BYTES + state.places.byteLength);
    this.#known.set(this.#hash, [...(this.#known.get(this.#hash) ?? []), state]);
  }

  #isFound(places: Int32Array): boolean {
    return places.length === this.#count && places.every((place) => this.#marks[place] === this.#mark);
  }
}

function describe({ kind, value, special }: Program, places: Int32Array, { fresh, dot, kept }: Circumstances): State {
  let [file, folder, all] = [-1, -1, false];
  for (const place of places) {
    const [rule, isSpecial] = [value[place] as number, special[place] === 1];
    if (kind[place] === ACCEPT) {
      folder = Math.max(folder, rule);
      if (!isSpecial) file = Math.max(file, rule);
    } else if (kind[place] === EVERY && isSpecial) all = dot;
  }
  const low = kept ? Array.from<State | undefined>({ length: LOW }) : [];
  return { places, fresh, file, folder, dead: false, all, kept, low, high: undefined };
}

interface Circumstances {
  readonly fresh: boolean;
  readonly dot: boolean;
  readonly kept: boolean;
}

/** Otherwise the states would keep each other alive. */
function forget(state: State): void {
  state.low.fill(undefined);
  state.high = undefined;
}
