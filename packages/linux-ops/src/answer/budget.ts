import type { LineSlice } from "@llmc/te-fs";
import { estimateTokens } from "@llmc/toolkit";
import { imageTokens, MAX_IMAGE_BYTES } from "./image-limits.js";
import type { ShownImage } from "./shown-image.js";

/** What one answer may cost. */
export interface Budget {
  readonly bytes: number;
  readonly tokens: number;
  /** Of images, which cannot be cut: what is left for one is all that is left. */
  readonly imageBytes: number;
  readonly imageTokens: number;
}

/** About 6,000 tokens of any text: the estimate may be a fifth too low. */
export const DEFAULT_BUDGET: Budget = {
  bytes: 20_000,
  tokens: 5_000,
  imageBytes: MAX_IMAGE_BYTES,
  imageTokens: 5_000,
};

/** What a call that asks for more itself may get; what is longer is read by slices. */
export const LARGEST_BUDGET: Budget = {
  bytes: 1_000_000,
  tokens: Number.POSITIVE_INFINITY,
  imageBytes: MAX_IMAGE_BYTES,
  imageTokens: Number.POSITIVE_INFINITY,
};

/** Returns the large budget only for a call that asks for more items than the default. */
export function budgetFor(asked: number, byDefault: number): Budget {
  return asked > byDefault ? LARGEST_BUDGET : DEFAULT_BUDGET;
}

/** Returns the first items whose lines fit the budget, at least one. */
export function fitting<T>(items: readonly T[], textOf: (item: T) => string, budget: Room): readonly T[] {
  const left = new Spending(budget);
  const end = items.findIndex((item, index) => !left.takes([textOf(item)]) && index > 0);
  return end === -1 ? items : items.slice(0, end);
}

type Room = Pick<Budget, "tokens" | "bytes">;

/** Counts down a budget while lines are added to an answer. */
export class Spending {
  #tokens: number;
  #bytes: number;

  constructor({ tokens, bytes }: Room) {
    this.#tokens = tokens;
    this.#bytes = bytes;
  }

  /** Takes these lines if all of them fit, otherwise none. */
  takes(lines: readonly string[]): boolean {
    const text = lines.map((line) => `${line}\n`).join("");
    const tokens = this.#tokens - estimateTokens(text);
    const bytes = this.#bytes - Buffer.byteLength(text);
    if (tokens < 0 || bytes < 0) return false;
    this.#tokens = tokens;
    this.#bytes = bytes;
    return true;
  }
}

/** Bytes that a call gets as base64 when it does not say how many: two thirds of a token for each character. */
export const DEFAULT_BASE64_BYTES = 4_096;

export function share(budget: Budget, among: number): Budget {
  return { ...budget, bytes: atLeastOne(budget.bytes / among), tokens: Math.max(1, budget.tokens / among) };
}

export function spend(budget: Budget, text: string, image?: ShownImage): Budget {
  const tokens = estimateTokens(text) + (image === undefined ? 0 : imageTokens(image));
  return {
    bytes: atLeastOne(budget.bytes - Buffer.byteLength(text)),
    tokens: Math.max(1, budget.tokens - tokens),
    imageBytes: budget.imageBytes - Buffer.byteLength(image?.data ?? "", "base64"),
    imageTokens: budget.imageTokens - tokens,
  };
}

function atLeastOne(bytes: number): number {
  return Math.max(1, Math.floor(bytes));
}

type Lines = Pick<LineSlice, "content" | "firstLine" | "returnedLines" | "nextOffsetLines" | "cutLines">;

/** Leaves out lines that the budget does not hold, at the end or, of a tail, at the beginning. One line always stays. */
export function fitTokens<S extends Lines>(slice: S, tokens: number, keep: "first" | "last"): S {
  if (tokens === Number.POSITIVE_INFINITY || estimateTokens(slice.content) <= tokens) return slice;
  const lines = slice.content.split(/(?<=\n)/);
  if (keep === "last") lines.reverse();
  let cost = 0;
  let kept = 0;
  for (const line of lines) {
    cost += estimateTokens(line);
    if (kept > 0 && cost > tokens) break;
    kept += 1;
  }
  return keep === "first" ? withFirst(slice, lines.slice(0, kept)) : withLast(slice, lines.slice(0, kept).toReversed());
}

function withFirst<S extends Lines>(slice: S, lines: readonly string[]): S {
  const last = slice.firstLine + lines.length - 1;
  return {
    ...slice,
    content: lines.join(""),
    returnedLines: lines.length,
    nextOffsetLines: lines.length < slice.returnedLines ? last : slice.nextOffsetLines,
    cutLines: slice.cutLines.filter(({ line }) => line <= last),
  };
}

function withLast<S extends Lines>(slice: S, lines: readonly string[]): S {
  const firstLine = slice.firstLine + slice.returnedLines - lines.length;
  return {
    ...slice,
    content: lines.join(""),
    firstLine,
    returnedLines: lines.length,
    cutLines: slice.cutLines.filter(({ line }) => line >= firstLine),
  };
}
