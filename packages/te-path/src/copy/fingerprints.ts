import type { Stat } from "../kernel/syscalls.js";

const EMPTY = 0;
const START = 1024;

/**
 * The states in which files were copied, eight bytes each: what changed since is not among them, so that it is not
 * removed. A hash stands for a state; that another one has the same hash is as good as impossible.
 */
export class Fingerprints {
  #table = new Float64Array(START);
  #size = 0;

  add(stat: Stat): void {
    if (this.#size * 2 >= this.#table.length) this.#grow();
    // The removal of one of its names changes the ctime of a file that has others.
    const print = printOf(stat, stat.nlink === 1n);
    const at = slotOf(this.#table, print);
    if (this.#table[at] === print) return;
    this.#table[at] = print;
    this.#size += 1;
  }

  has(stat: Stat): boolean {
    return [true, false].some((withCtime) => {
      const print = printOf(stat, withCtime);
      return this.#table[slotOf(this.#table, print)] === print;
    });
  }

  #grow(): void {
    const table = new Float64Array(this.#table.length * 2);
    for (const print of this.#table) if (print !== EMPTY) table[slotOf(table, print)] = print;
    this.#table = table;
  }
}

function slotOf(table: Float64Array, print: number): number {
  let at = print % table.length;
  while (table[at] !== EMPTY && table[at] !== print) at = (at + 1) % table.length;
  return at;
}

// Two 32-bit hashes make the 53 bits that a double holds exactly.
function printOf({ dev, ino, size, mtimeNs, ctimeNs }: Stat, withCtime: boolean): number {
  let [high, low] = [0x811c9dc5, 0x9e3779b9];
  for (const part of [dev, ino, size, mtimeNs, withCtime ? ctimeNs : 0n]) {
    const [upper, lower] = [Number((part >> 32n) & 0xffffffffn), Number(part & 0xffffffffn)];
    high = mix(mix(high, upper), lower);
    low = mix(mix(low, lower ^ 0x5bd1e995), upper);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0) + 1;
}

function mix(hash: number, word: number): number {
  let mixed = Math.imul(hash ^ word, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
