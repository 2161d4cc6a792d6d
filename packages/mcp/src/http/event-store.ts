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

/** What a session's client can ask for again after its connection broke: bounded in bytes and in age, oldest out first. */
export function createEvents<M extends Message>({ maxBytes, maxAgeMs }: { maxBytes: number; maxAgeMs: number }) {
  const events = new Map<string, Stored>();
  let bytes = 0;
  let next = 0;

  const sizeOf = ({ json }: Stored) => json.length * 2 + OVERHEAD_BYTES;

  function prune(): void {
    const oldest = Date.now() - maxAgeMs;
    for (const event of events.values()) {
      if (bytes <= maxBytes && event.at >= oldest) return;
      events.delete(event.id);
      bytes -= sizeOf(event);
    }
  }

  const store: Events<M> = {
    async storeEvent(streamId, message) {
      next += 1;
      const event: Stored = { id: `e${next}`, streamId, json: JSON.stringify(message), at: Date.now() };
      events.set(event.id, event);
      bytes += sizeOf(event);
      prune();
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
  return { store, prune, bytes: () => bytes };
}
