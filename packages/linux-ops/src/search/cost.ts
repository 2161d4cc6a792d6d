import { estimateTokens } from "@llmc/toolkit";

/** What a line adds to an answer. */
export interface Cost {
  readonly tokens: number;
  readonly bytes: number;
}

export function costOf(number: number, text: string): Cost {
  const line = `${number}: ${text}\n`;
  return { tokens: estimateTokens(line), bytes: Buffer.byteLength(line) };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
