import { Buffer } from "node:buffer";

/** Stands for a line that was too long. */
export interface TooLong {
  /** Of the request in it: whoever sent it waits for an answer to that. Null where it cannot be told. */
  readonly id: string | number | null;
}

/** Of each end of the line. */
const END_BYTES = 256;
const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{0,128}")\s*`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
// Clients write the id first or last, and only what stands there is the request's own.
const FIRST = new RegExp(`^\\s*\\{\\s*(?:${VERSION},\\s*)?${ID},`);
const LAST = new RegExp(`,\\s*${ID}(?:,\\s*${VERSION})?\\}\\s*$`);

/** A line that is read away; only its ends are kept. */
export class SkippedLine {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #bytes = 0;
  #isTold = false;

  constructor(begun: Buffer) {
    this.add(begun);
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(part: Buffer): void {
    this.#bytes += part.length;
    const room = END_BYTES - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, part.subarray(0, room)]);
    this.#tail = Buffer.concat([this.#tail, part.subarray(-END_BYTES)]).subarray(-END_BYTES);
  }

  /** Once. */
  *tell(): Iterable<TooLong> {
    if (this.#isTold) return;
    this.#isTold = true;
    const [, id] = FIRST.exec(this.#head.toString("utf8")) ?? LAST.exec(this.#tail.toString("utf8")) ?? [];
    yield { id: id === undefined ? null : (JSON.parse(id) as string | number) };
  }
}
