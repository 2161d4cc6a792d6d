import { estimateTokens } from "@llmc/toolkit";

// After so many pieces the rest of a text is assumed to be like what was seen of it, evenly spread: 0.4 ms at the most.
const PIECE = 4_000;
const PIECES = 64;

/** An estimate of what a text costs a model, in bounded time. */
export function countTokens(text: string): number {
  let tokens = 0;
  let seen = 0;
  for (const piece of pieces(text)) {
    tokens += estimateTokens(piece);
    seen += piece.length;
  }
  return seen === text.length ? tokens : Math.round((tokens * text.length) / seen);
}

function* pieces(text: string): Generator<string> {
  const total = Math.ceil(text.length / PIECE);
  const step = Math.max(1, total / PIECES);
  for (let index = 0; index < total; index += step) {
    const start = Math.floor(index) * PIECE;
    yield text.slice(start, start + PIECE);
  }
}
