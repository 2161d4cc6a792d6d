import type { Settings } from "@llmc/config";
import type { Access, Dispatcher } from "@llmc/toolkit";

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

export interface McpOptions {
  readonly dispatcher: Dispatcher;
  readonly access: Access;
  readonly settings: Pick<Settings, "mcp" | "roots">;
  readonly version: string;
  /** Told once for each session, when its client has introduced itself. */
  readonly onClient?: (client: ClientInfo, sessionId: string) => void;
  /** Over HTTP: a session was closed, by its client or for its age. Whoever owned what it left is named. */
  readonly onSessionEnd?: (owner: string) => void;
  /** For tests: nothing an operator should turn. */
  readonly timing?: Partial<Timing>;
}

export interface Timing {
  /** A long call says that it lives. Clients give up after 1 to 5 minutes of silence. */
  readonly heartbeatMs: number;
  /** Progress of a chatty handler is sent no more often. */
  readonly progressGapMs: number;
  /** After stdin's end, how long running calls may still answer: a script piped in gets its answers. */
  readonly drainMs: number;
  /** How long cancelled calls have to come to their end before nobody waits for them any more. */
  readonly graceMs: number;
  /** An HTTP session with calls running and no connection left is given up: its client has vanished. */
  readonly abandonMs: number;
  readonly sweepMs: number;
  /** Comments on an open event stream, for proxies that close silent ones. */
  readonly keepAliveMs: number;
  /** After how long a client should come back for a stream that broke. */
  readonly retryMs: number;
  /** How long an event can be asked for again. */
  readonly eventAgeMs: number;
}

const DEFAULTS: Timing = {
  heartbeatMs: 10_000,
  progressGapMs: 100,
  drainMs: 500,
  graceMs: 5_000,
  abandonMs: 60_000,
  sweepMs: 10_000,
  keepAliveMs: 15_000,
  retryMs: 2_000,
  eventAgeMs: 300_000,
};

export function timingOf({ timing }: Pick<McpOptions, "timing">): Timing {
  return { ...DEFAULTS, ...timing };
}
