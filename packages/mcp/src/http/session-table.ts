/** What the table must know of a session to choose which one goes. */
export interface Tabled {
  readonly id: string;
  readonly token: string;
  /** When it was last used, in ms. */
  readonly usedAt: () => number;
  /** Calls are running. */
  readonly busy: () => boolean;
  /** A connection of its client is open. */
  readonly connected: () => boolean;
  /** Time passes: the session lets go of what has grown old. */
  readonly tick: () => void;
  readonly close: () => Promise<void>;
}

export interface SessionTable<S extends Tabled> {
  /** A session is found only with the token that opened it. */
  get(id: string, token: string): S | undefined;
  /** Whether one more has room, if need be in place of an idle one. */
  hasRoom(): boolean;
  add(session: S): void;
  remove(session: S): void;
  size(): number;
  all(): readonly S[];
  close(): Promise<void>;
}

export interface TableOptions {
  readonly max: number;
  readonly idleMs: number;
  readonly sweepMs: number;
}

export function createSessionTable<S extends Tabled>({ max, idleMs, sweepMs }: TableOptions): SessionTable<S> {
  const sessions = new Map<string, S>();
  const closing = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function remove(session: S): void {
    if (sessions.get(session.id) !== session) return;
    sessions.delete(session.id);
    if (sessions.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function end(session: S): void {
    remove(session);
    const closed = session.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  function sweep(): void {
    const oldest = Date.now() - idleMs;
    for (const session of sessions.values()) {
      session.tick();
      const idle = !session.busy() && !session.connected() && session.usedAt() <= oldest;
      if (idle) end(session);
    }
  }

  /** Longest unused first; one with nobody connected before one that only listens; never one with running calls. */
  function leastNeeded(): S | undefined {
    const rank = (session: S) => (session.connected() ? Number.MAX_SAFE_INTEGER / 2 : 0) + session.usedAt();
    const idle = [...sessions.values()].filter((session) => !session.busy());
    return idle.toSorted((a, b) => rank(a) - rank(b))[0];
  }

  function add(session: S): void {
    // Several may open at once after they were told that there is room: the bound holds, the oldest pays.
    while (sessions.size >= max) {
      const goes = leastNeeded() ?? [...sessions.values()].toSorted((a, b) => a.usedAt() - b.usedAt())[0];
      if (goes === undefined) break;
      end(goes);
    }
    sessions.set(session.id, session);
    timer ??= setInterval(sweep, sweepMs).unref();
  }

  return {
    get(id, token) {
      const session = sessions.get(id);
      return session?.token === token ? session : undefined;
    },
    hasRoom: () => sessions.size < max || leastNeeded() !== undefined,
    add,
    remove,
    size: () => sessions.size,
    all: () => [...sessions.values()],
    close: async () => {
      for (const session of sessions.values()) end(session);
      await Promise.all(closing);
    },
  };
}
