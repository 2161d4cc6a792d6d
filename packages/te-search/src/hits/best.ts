/** Lets long work yield: `if (pace.due()) await pace.rest()` in each step. */
export interface Pace {
  due(): boolean;
  rest(): Promise<void>;
}

type Compare<T> = (a: T, b: T) => number;

/** Returns the `count` smallest items in order without sorting the rest; equal items keep their order. */
export async function best<T>(items: Iterable<T>, count: number, compare: Compare<T>, pace: Pace): Promise<T[]> {
  const kept = new Best(count, compare);
  for (const item of items) {
    if (pace.due()) await pace.rest();
    kept.offer(item);
  }
  return kept.items;
}

/** Keeps the smallest items of a stream. */
export class Best<T> {
  /** Kept items, in order. */
  readonly items: T[] = [];
  readonly #count: number;
  readonly #compare: Compare<T>;

  constructor(count: number, compare: Compare<T>) {
    this.#count = count;
    this.#compare = compare;
  }

  /** The largest kept item; undefined while there is room. */
  get last(): T | undefined {
    return this.items[this.#count - 1];
  }

  offer(item: T): void {
    const { last } = this;
    if (last !== undefined && this.#compare(item, last) >= 0) return;
    this.items.splice(this.#placeOf(item), 0, item);
    if (this.items.length > this.#count) this.items.pop();
  }

  #placeOf(item: T): number {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(this.items[middle] as T, item) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
