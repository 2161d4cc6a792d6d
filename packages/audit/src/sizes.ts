import type { CallRecord } from "@llmc/toolkit";
import type { Sizes } from "./row.js";
import { countTokens, roughTokens } from "./tokens.js";

export async function sizesOf(record: CallRecord): Promise<Sizes> {
  const [args, text] = [argumentsOf(record), textOf(record)];
  return {
    bytesOut: Buffer.byteLength(text),
    tokensIn: await countTokens(args),
    tokensOut: await countTokens(text),
  };
}

export function roughSizesOf(record: CallRecord): Sizes {
  const [args, text] = [argumentsOf(record), textOf(record)];
  return { bytesOut: Buffer.byteLength(text), tokensIn: roughTokens(args), tokensOut: roughTokens(text) };
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
