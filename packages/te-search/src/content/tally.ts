import type { ContentOptions, ContentQuery, Hit, HitFile } from "../query/content-query.js";
import type { Bytes } from "@llmc/names";

interface Open {
  readonly way: Bytes;
  readonly path: string;
  readonly hits: Hit[];
  count: number;
  weight: number;
}

/** What a hit takes beside its text. */
const HIT_BYTES = 250;

/**
 * Counts hits as an engine tells them, file after file, and keeps as many as may be kept. A class: an object that is
 * written with getters lives, and all that it knows, until the next full collection.
 */
export class Tally {
  readonly #query: ContentQuery;
  readonly #shown: (way: Bytes) => string;
  readonly #onHit: ContentOptions["onHit"];
  readonly #files: Open[] = [];
  #open: Open | undefined;
  #total = 0;
  #kept = 0;
  #weight = 0;
  #isFull = false;

  constructor(query: ContentQuery, shown: (way: Bytes) => string, onHit: ContentOptions["onHit"]) {
    this.#query = query;
    this.#shown = shown;
    this.#onHit = onHit;
  }

  get files(): readonly HitFile[] {
    return this.#files;
  }

  get total(): number {
    return this.#total;
  }

  get kept(): number {
    return this.#kept;
  }

  /** More hits than the bound: the search was stopped. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The file of the last begin(). */
  get current(): Bytes | undefined {
    return this.#open?.way;
  }

  /** Whether the next hit would be kept: only then is it worth to be read. */
  get hasRoom(): boolean {
    const { mode, maxKeptBytes, maxScanHits } = this.#query;
    return mode === "lines" && this.#weight < maxKeptBytes && this.#total < maxScanHits;
  }

  /** The hits that follow are in this file. */
  begin(way: Bytes): void {
    this.#open = { way, path: this.#shown(way), hits: [], count: 0, weight: 0 };
  }

  /** One more hit, kept if it is given. "stop": no more are wanted. */
  add(hit?: Hit): void | "stop" {
    const open = this.#open;
    if (open === undefined) return;
    if (hit === undefined) return this.count(1);
    const size = HIT_BYTES + 2 * hit.text.length;
    open.hits.push(hit);
    open.weight += size;
    this.#weight += size;
    this.#kept += 1;
    const verdict = this.count(1);
    this.#onHit?.(hit, open);
    return verdict;
  }

  /** So many more in this file, none of them kept. In the mode "files" it is counted once. */
  count(found: number): void | "stop" {
    const open = this.#open;
    if (open === undefined) return;
    const hits = this.#query.mode === "files" ? Math.min(found, 1 - open.count) : found;
    if (hits === 0) return;
    const counted = Math.min(hits, this.#query.maxScanHits - this.#total);
    if (open.count === 0 && counted > 0) this.#files.push(open);
    open.count += counted;
    this.#total += counted;
    if (counted === hits) return;
    this.#isFull = true;
    return "stop";
  }

  /** The file is no file to be searched after all: its hits do not count. */
  discard(): void {
    if (this.#open === undefined) return;
    if (this.#open.count > 0) this.#files.pop();
    this.#forget(this.#open);
    this.#open = undefined;
  }

  #forget({ count, hits, weight }: Open): void {
    this.#total -= count;
    this.#kept -= hits.length;
    this.#weight -= weight;
  }
}
