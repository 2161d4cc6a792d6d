import { hash } from "node:crypto";
import type { Bytes } from "@llmc/names";
import type { Stat } from "../kernel/syscalls.js";

/** Of larger trees it is only known when they were copied. */
const MOST = 2000;
const LENGTH = 16;

/** What a tree was made of, in a few characters for each entry: by them what others changed or added is told apart. */
export class TreeMarks {
  #prints: string[] | undefined = [];
  readonly #sums = new Map<string, string>();

  /** `what` is the sum of a file, else the kind. */
  add(way: readonly Bytes[], what: string): void {
    if (this.#prints?.length === MOST) this.#prints = undefined;
    this.#prints?.push(printOf(way, what));
  }

  /** Content that may be met again under another name. */
  remember(stat: Stat, sha256: string): void {
    if (stat.nlink > 1n && this.#prints !== undefined) this.#sums.set(`${stat.dev}:${stat.ino}`, sha256);
  }

  recall({ dev, ino }: Stat): string | undefined {
    return this.#sums.get(`${dev}:${ino}`);
  }

  /** Undefined where they would be too many. */
  get prints(): string | undefined {
    return this.#prints?.join("");
  }
}

export function printsIn(prints: string): ReadonlySet<string> {
  const all = new Set<string>();
  for (let at = 0; at < prints.length; at += LENGTH) all.add(prints.slice(at, at + LENGTH));
  return all;
}

export function printOf(way: readonly Bytes[], what: string): string {
  return hash("sha256", `${way.join("/")}\0${what}`, "hex").slice(0, LENGTH);
}
