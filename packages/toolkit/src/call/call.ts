import { randomBytes } from "node:crypto";
import type { AnyTool } from "../tool/tool.js";
import type { EnvelopeFacts } from "./envelope-facts.js";

/** Who calls. Made by the entry, never by the call's own arguments. */
export interface Session {
  readonly id: string;
  readonly agentId: string;
  readonly model: string;
  /** The name that the client's program gives itself, where it does. */
  readonly client?: string | undefined;
  /** The budget of tokens that the caller chose by name. */
  readonly budgetProfile?: string | undefined;
  /** The name of the token that opened the session; limits are counted per token. */
  readonly token: string;
  /** Whose handles and undo entries these are. */
  readonly owner: string;
}

export type Entry = "stdio" | "http" | "rest" | "library";

export interface ConfirmQuestion {
  readonly tool: string;
  readonly message: string;
}

export type ConfirmAnswer = "accept" | "decline" | "cancel";

/** Asks the person behind the client. Absent where the client cannot ask. */
export type AskPerson = (question: ConfirmQuestion, signal: AbortSignal) => Promise<ConfirmAnswer>;

export interface CallOptions {
  readonly session: Session;
  readonly entry: Entry;
  readonly correlationId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Instead of `signal`, where the entry has made one for this call alone: the call's deadline aborts it as well. Who else
   * does gives an OpsError as the reason.
   */
  readonly controller?: AbortController | undefined;
  readonly progress?: ((message: string) => void) | undefined;
  readonly ask?: AskPerson | undefined;
}

/** A call on its way through the pipeline. A layer may narrow `args` or `signal`; nobody else writes. */
export interface Call {
  readonly name: string;
  readonly tool: AnyTool | undefined;
  readonly rawArgs: unknown;
  /** Set by the parse layer. */
  args: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
  /** What aborts `signal`, where that is this call's alone. */
  readonly controller: AbortController | undefined;
  readonly session: Session;
  readonly entry: Entry;
  readonly correlationId: string;
  readonly progress: (message: string) => void;
  readonly ask: AskPerson | undefined;
  /** Set by the handler, for the record. */
  envelope: EnvelopeFacts | null;
}

/** What a handler gets of the call; the composition adds its services. */
export interface CallContext {
  readonly session: Session;
  readonly entry: Entry;
  readonly correlationId: string;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
  /** Adds to the call's record. */
  readonly recordEnvelope: (facts: EnvelopeFacts) => void;
  /** The arguments that the caller wrote himself, as opposed to defaults. */
  readonly given: ReadonlySet<string>;
}

const CORRELATION_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's id where it is well formed, else eight fresh hex characters. */
export function correlationIdFrom(given?: string): string {
  return given !== undefined && CORRELATION_ID.test(given) ? given : freshId();
}

const ID_BYTES = 4;
// One trip to the kernel for many calls: a trip costs as much as the rest of a call's bookkeeping.
let pool = Buffer.alloc(0);

function freshId(): string {
  if (pool.length < ID_BYTES) pool = randomBytes(256 * ID_BYTES);
  const id = pool.subarray(0, ID_BYTES);
  pool = pool.subarray(ID_BYTES);
  return id.toString("hex");
}
