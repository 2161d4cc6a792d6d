import { setImmediate as nextTurn } from "node:timers/promises";

// The estimator's time grows with the square of an unbroken run, so it gets pieces; and after so many of them the
// rest of a text is assumed to be like what was seen of it, evenly spread.
const PIECE = 4_000;
const PIECES = 64;
const PIECES_A_TURN = 4;

type Estimate = (text: string) => number;
let estimate: Promise<Estimate> | undefined;

/** Loaded at first use: a server that never counted a token has not paid for the estimator. */
async function loaded(): Promise<Estimate> {
  estimate ??= import("tokenx").then(
    ({ estimateTokenCount }) =>
      (text) =>
        estimateTokenCount(text),
  );
  return estimate;
}

/** An estimate that leaves the event loop free in between. */
export async function countTokens(text: string): Promise<number> {
  const count = await loaded();
  let tokens = 0;
  let seen = 0;
  let inTurn = 0;
  for (const piece of pieces(text)) {
    tokens += count(piece);
    seen += piece.length;
    inTurn += 1;
    if (inTurn % PIECES_A_TURN === 0) await nextTurn();
  }
  return seen === text.length ? tokens : Math.round((tokens * text.length) / seen);
}

/** For a crash, where there is no next turn. */
export function roughTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function* pieces(text: string): Generator<string> {
  const total = Math.ceil(text.length / PIECE);
  const step = Math.max(1, total / PIECES);
  for (let index = 0; index < total; index += step) {
    const start = Math.floor(index) * PIECE;
    yield text.slice(start, start + PIECE);
  }
}
