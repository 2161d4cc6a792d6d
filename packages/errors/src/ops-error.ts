import { CODES, type ErrorCode } from "./codes.js";
import type { Advice, Remedy, Words } from "./remedy.js";

export interface OpsErrorOptions {
  /** Advice to the model that called, as one short sentence or as a remedy for the surface to word. */
  readonly hint?: Advice | undefined;
  readonly cause?: unknown;
  /** Further facts for the envelope, such as `retry_after_ms`. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** What every entry answers for a failure. */
export interface ErrorEnvelope {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly correlation_id: string;
  readonly [detail: string]: unknown;
}

// Two copies of this package can meet in one process; the brand survives that, `instanceof` does not.
const brand = Symbol.for("llmc.ops-error");

export class OpsError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  /** Remedy that no surface has worded yet; `hint` is undefined until then. */
  readonly remedy: Remedy | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly [brand] = true;

  constructor(code: ErrorCode, message: string, { hint, cause, details }: OpsErrorOptions = {}) {
    super(bounded(message), cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = typeof hint === "string" ? hint : undefined;
    this.remedy = typeof hint === "string" ? undefined : hint;
    this.details = details;
  }

  /** The HTTP status of this error's code. */
  get status(): number {
    return CODES[this.code].status;
  }

  /** The hint, or the remedy if no surface has worded it yet. */
  get advice(): Advice | undefined {
    return this.hint ?? this.remedy;
  }

  /** Replaces the remedy by a surface's words. Changes this error itself, so that its class, stack and facts stay. */
  word({ message, hint }: Words): void {
    Object.assign(this, { hint, remedy: undefined });
    if (message !== undefined) this.message = bounded(message);
  }

  toEnvelope(correlationId: string): ErrorEnvelope {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...this.details,
      correlation_id: correlationId,
    };
  }

  static is(thrown: unknown): thrown is OpsError {
    return typeof thrown === "object" && thrown !== null && brand in thrown;
  }

  /** Anything thrown becomes an OpsError; what nobody foresaw is INTERNAL and keeps its cause for the log. */
  static from(thrown: unknown): OpsError {
    return OpsError.is(thrown) ? thrown : new InternalError(thrown);
  }
}

const LONGEST_MESSAGE = 600;

/** A message repeats what the caller gave, and the caller may give a megabyte. */
function bounded(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message;
  return `${message.slice(0, LONGEST_MESSAGE / 2)}…[+${message.length - LONGEST_MESSAGE} chars]${message.slice(-LONGEST_MESSAGE / 2)}`;
}

export class InternalError extends OpsError {
  constructor(cause: unknown) {
    super("INTERNAL", "Unexpected failure", {
      hint: "The server's log has the cause under this correlation id.",
      cause,
    });
  }
}
