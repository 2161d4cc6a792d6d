import { CancelledError } from "@llmc/errors";
import type { Backends, MemoryAccess } from "../database/backends.js";
import { closedError, type Database } from "../database/database.js";

/** Has no file and no tables, because each store keeps its own maps. It only remembers that it was closed. */
export class MemoryDatabase implements Database, MemoryAccess {
  readonly kind = "memory";
  #closed = false;

  openStore<Store>(backends: Backends<Store>): Promise<Store> {
    return backends.memory(this);
  }

  check(signal?: AbortSignal): void {
    if (this.#closed) throw closedError();
    if (signal?.aborted === true) throw new CancelledError("The database call");
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}
