import { compress } from "./blocks.js";
import type { SqliteAccess } from "../database/backends.js";
import type { Queries } from "./queries.js";

interface Job {
  readonly id: string;
  readonly blocks: number;
}

const WORTH_TRYING = 4 * 1024;
const MAX_WAITING = 256;

/**
 * Shrinks payloads after their insert was acknowledged, one block at a time: nobody waits for it, and a slice reads the
 * same before, during and after, because each block says by itself how it is kept. Nothing is lost when it is cut short.
 */
export class Compressor {
  readonly #access: SqliteAccess;
  readonly #queries: Queries;
  readonly #delayMs: number;
  readonly #waiting: Job[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(access: SqliteAccess, queries: Queries, delayMs: number) {
    this.#access = access;
    this.#queries = queries;
    this.#delayMs = delayMs;
  }

  offer(id: string, size: number, blocks: number): void {
    if (this.#closed || size < WORTH_TRYING || this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push({ id, blocks });
    // After a pause, so that it does not take the processor from the call that made the handle.
    this.#timer ??= setTimeout(() => this.#start(), this.#delayMs).unref();
  }

  /** Resolves when all that was offered so far has been tried. */
  async settled(): Promise<void> {
    if (this.#timer !== undefined) this.#start();
    await this.#running;
  }

  /** Drops what waits and lets the block at hand end. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.length = 0;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    });
  }

  async #work(): Promise<void> {
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      // A full disk or a closed database leaves the payload as it is, which is only larger.
      await this.#shrink(job).catch(() => undefined);
    }
  }

  async #shrink({ id, blocks }: Job): Promise<void> {
    const first = await this.#access.run(() => this.#queries.payload.get({ id }));
    if (first === undefined || first.encoding !== "raw") return;
    const data = await compress(first.data);
    // The start of a payload tells for the rest of it: what does not shrink here is left alone altogether.
    if (data === null) return;
    let saved = first.data.length - data.length;
    for (let seq = 1; seq < blocks && !this.#closed; seq += 1) saved += await this.#shrinkBlock(id, seq);
    // The row with the first block comes last, once: it is rewritten whole, and has the new sum.
    await this.#access.run(() => this.#queries.shrinkPayload.run({ id, data, saved }));
  }

  async #shrinkBlock(id: string, seq: number): Promise<number> {
    const [block] = await this.#access.run(() => this.#queries.blocks.all({ id, first: seq, last: seq }));
    if (block === undefined || block.encoding !== "raw") return 0;
    const data = await compress(block.data);
    if (data === null) return 0;
    const { changes } = await this.#access.run(() => this.#queries.shrinkBlock.run({ id, seq, data }));
    return changes === 0 ? 0 : block.data.length - data.length;
  }
}
