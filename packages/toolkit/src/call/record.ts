import type { ErrorCode, OpsError } from "@llmc/errors";
import type { Entry } from "./call.js";
import type { EnvelopeFacts } from "./envelope-facts.js";

/** One finished call, whatever its end. Sinks get it once and must neither throw nor block. */
export interface CallRecord {
  readonly tool: string;
  readonly entry: Entry;
  readonly correlationId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly model: string;
  readonly client: string | null;
  readonly token: string;
  readonly status: "ok" | ErrorCode;
  readonly startedAt: number;
  readonly durationMs: number;
  /** As they came; a sink summarises and masks them. */
  readonly args: unknown;
  /** What the tool's definition says is logged. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly truncated: boolean;
  readonly handle: string | null;
  readonly error: OpsError | null;
  /** Facts about the output of a command that the call shortened. */
  readonly envelope: EnvelopeFacts | null;
  /** The text the model reads, made at first use: a sink counts bytes and tokens off the call's path. */
  readonly text: () => string;
}

export type Sink = (record: CallRecord) => void;
