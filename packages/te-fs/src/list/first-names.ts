import type { Bytes } from "../kernel/syscalls.js";

/**
 * The names of one folder that come first, however many it has: folders before the rest, each by its bytes. What does
 * not fit is only counted, so that a million names cost no more memory than what can be kept of them.
 */
export class FirstNames {
  readonly #maxBytes: number;
  readonly #bytesBeside: number;
  readonly #folders: Bytes[] = [];
  readonly #others: Bytes[] = [];
  #bytes = 0;
  #count = 0;
  /** From these names on none is kept. */
  #folderEnd: Bytes | undefined;
  #otherEnd: Bytes | undefined;

  /** `bytesBeside`: what each name costs beside its own length. */
  constructor(maxBytes: number, bytesBeside: number) {
    this.#maxBytes = maxBytes;
    this.#bytesBeside = bytesBeside;
  }

  add(name: Bytes, isFolder: boolean): void {
    this.#count += 1;
    const end = isFolder ? this.#folderEnd : this.#otherEnd;
    if (end !== undefined && name >= end) return;
    (isFolder ? this.#folders : this.#others).push(name);
    this.#bytes += this.#costOf(name);
    // Twice as much: sorting anew for each name would take for ever.
    if (this.#bytes > 2 * this.#maxBytes) this.#cut();
  }

  /** All that were added, kept or not. */
  get count(): number {
    return this.#count;
  }

  /** Those that are not kept. */
  get lost(): number {
    return this.#count - this.#folders.length - this.#others.length;
  }

  /** What those cost that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  inOrder(): Bytes[] {
    return [...this.#folders.sort(), ...this.#others.sort()];
  }

  #cut(): void {
    this.#otherEnd = this.#drop(this.#others) ?? this.#otherEnd;
    const end = this.#drop(this.#folders);
    if (end === undefined) return;
    this.#folderEnd = end;
    this.#otherEnd = "";
  }

  /** The last ones, until the rest fits; the first of them is returned. */
  #drop(names: Bytes[]): Bytes | undefined {
    names.sort();
    let end = names.length;
    while (end > 0 && this.#bytes > this.#maxBytes) this.#bytes -= this.#costOf(names[(end -= 1)] as Bytes);
    return names.splice(end)[0];
  }

  #costOf(name: Bytes): number {
    return this.#bytesBeside + name.length;
  }
}
