import { CancelledError } from "@llmc/errors";
import type { Database } from "../database/database.js";
import { closedError } from "../sqlite/failure.js";

/** No file and no tables: the stores keep their own maps. It only knows whether it was closed. */
export class MemoryDatabase implements Database {
  readonly kind = "memory";
  readonly file = null;
  readonly orm = null;
  #closed = false;

  async migrate(): Promise<void> {
    // There is nothing whose shape could be old.
  }

  async run<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    if (this.#closed) throw closedError();
    if (signal?.aborted === true) throw new CancelledError("The database call");
    return work();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}
