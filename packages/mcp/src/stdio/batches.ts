type Id = string | number;
type Message = Readonly<Record<string, unknown>>;

interface Batch {
  readonly open: Set<Id>;
  readonly answers: Message[];
}

export interface Batches {
  add(messages: readonly Message[]): void;
  /** Takes an answer that belongs to a batch; false: it goes out by itself. */
  take(message: Message): boolean;
  /** A cancelled request is never answered: its batch must not wait for it. */
  cancelled(id: unknown): void;
}

/** Clients of 2025-03-26 may send several messages in one array; JSON-RPC answers such an array with one of its own. */
export function createBatches(send: (answers: readonly Message[]) => void): Batches {
  const byId = new Map<Id, Batch>();

  function close(id: Id, batch: Batch): void {
    batch.open.delete(id);
    byId.delete(id);
    if (batch.open.size === 0 && batch.answers.length > 0) send(batch.answers);
  }

  return {
    add(messages) {
      const ids = messages.filter((message) => "method" in message && "id" in message).map(({ id }) => id as Id);
      const batch: Batch = { open: new Set(ids), answers: [] };
      for (const id of batch.open) byId.set(id, batch);
    },
    take(message) {
      const id = message["id"] as Id | undefined;
      if (id === undefined || "method" in message) return false;
      const batch = byId.get(id);
      if (batch === undefined) return false;
      batch.answers.push(message);
      close(id, batch);
      return true;
    },
    cancelled(id) {
      const batch = byId.get(id as Id);
      if (batch !== undefined) close(id as Id, batch);
    },
  };
}
