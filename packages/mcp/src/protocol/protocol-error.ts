import type { ErrorEnvelope } from "@llmc/errors";
import type { Told } from "./listed-names.js";

export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  resourceNotFound: -32_002,
} as const;

/** An answer outside of tool results: JSON-RPC's number for the protocol, our envelope in `data`. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: ErrorEnvelope;

  constructor(code: number, error: Told, correlationId: string) {
    super(sentence(error), { cause: error });
    this.name = "ProtocolError";
    this.code = code;
    this.data = error.toEnvelope(correlationId);
  }
}

/** What happened and what to do about it, as a model reads it. */
export function sentence({ message, hint }: Pick<Told, "message" | "hint">): string {
  return hint === undefined ? message : `${message}\nHint: ${hint}`;
}
