import type { CallRecord } from "@llmc/toolkit";
import type { Sizes } from "./row.js";
import { countTokens } from "./tokens.js";

export function sizesOf(record: CallRecord): Sizes {
  const text = textOf(record);
  return {
    bytesOut: Buffer.byteLength(text),
    tokensIn: countTokens(argumentsOf(record)),
    tokensOut: countTokens(text),
  };
}

function argumentsOf({ args }: CallRecord): string {
  try {
    return JSON.stringify(args) ?? "";
  } catch {
    // A library user's cyclic object never reached a model either.
    return "";
  }
}

function textOf(record: CallRecord): string {
  try {
    return record.text();
  } catch {
    // The tool's own rendering failed; the entry that asks for the text reports it.
    return "";
  }
}
