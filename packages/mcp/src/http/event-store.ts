type Message = object;

/** As the SDK's transport wants it; the message types are its own. */
export interface Events<M extends Message> {
  storeEvent(streamId: string, message: M): Promise<string>;
  getStreamIdForEventId(eventId: string): Promise<string | undefined>;
  replayEventsAfter(
    lastEventId: string,
    target: { send: (eventId: string, message: M) => Promise<void> },
  ): Promise<string>;
}

interface Stored {
  readonly id: string;
  readonly streamId: string;
  readonly json: string;
  readonly at: number;
}

/** Objects and keys beside the text of an event. */
const OVERHEAD_BYTES = 200;

interface Pooled {
  readonly bytes: () => number;
  /** Time of its oldest event; Infinity without one. */
  readonly oldestAt: () => number;
  readonly dropOldest: () => void;
}

/** Bounds the events of all sessions together, because clients leave without a word. The oldest go first. */
export interface EventPool {
  readonly stores: Set<Pooled>;
  readonly maxBytes: number;
}

export function createEventPool(maxBytes: number): EventPool {
  return { stores: new Set(), maxBytes };
}

function prunePool({ stores, maxBytes }: EventPool): void {
  const all = [...stores];
  let bytes = all.reduce((sum, store) => sum + store.bytes(), 0);
  while (bytes > maxBytes) {
    const oldest = all.reduce((one, other) => (other.oldestAt() < one.oldestAt() ? other : one));
    bytes -= oldest.bytes();
    oldest.dropOldest();
    bytes += oldest.bytes();
  }
}

interface EventsOptions {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  readonly pool: EventPool;
}

/** What a session's client can ask for again after its connection broke: bounded in bytes and in age, oldest out first. */
export function createEvents<M extends Message>({ maxBytes, maxAgeMs, pool }: EventsOptions) {
  const events = new Map<string, Stored>();
  let bytes = 0;
  let next = 0;

  const sizeOf = ({ json }: Stored) => json.length * 2 + OVERHEAD_BYTES;

  function prune(): void {
    const oldest = Date.now() - maxAgeMs;
    for (const event of events.values()) {
      if (bytes <= maxBytes && event.at >= oldest) return;
      drop(event);
    }
  }

  function drop(event: Stored | undefined): void {
    if (event === undefined) return;
    events.delete(event.id);
    bytes -= sizeOf(event);
  }

  const first = (): Stored | undefined => events.values().next().value;
  const pooled: Pooled = {
    bytes: () => bytes,
    oldestAt: () => first()?.at ?? Infinity,
    dropOldest: () => drop(first()),
  };
  pool.stores.add(pooled);

  const store: Events<M> = {
    async storeEvent(streamId, message) {
      next += 1;
      const event: Stored = { id: `e${next}`, streamId, json: JSON.stringify(message), at: Date.now() };
      events.set(event.id, event);
      bytes += sizeOf(event);
      prune();
      prunePool(pool);
      return event.id;
    },
    getStreamIdForEventId: async (eventId) => events.get(eventId)?.streamId,
    async replayEventsAfter(lastEventId, { send }) {
      const last = events.get(lastEventId);
      if (last === undefined) throw new Error("the event is no longer kept");
      let after = false;
      for (const event of events.values()) {
        // The first event of a stream is empty: it only gives the client an id to come back with.
        if (after && event.streamId === last.streamId && event.json !== "{}") {
          await send(event.id, JSON.parse(event.json) as M);
        }
        after ||= event.id === lastEventId;
      }
      return last.streamId;
    },
  };
  return { store, prune, bytes: () => bytes, close: () => void pool.stores.delete(pooled) };
}
