import { fit, LONGEST_FIT, type Fit } from "./fit.js";
import { LONGEST_EDGE } from "./similarity.js";
import { countVotes } from "./votes.js";

export interface Part extends Fit {
  /** From 0. */
  readonly line: number;
}

interface Piece {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

const CANDIDATES = 12;
const SHORTEST_PIECE = 1000;

/** The part of any one line that is most like `wanted`. A line may be the whole file: it is looked at in pieces. */
export function nearestPart(haystack: readonly string[], wanted: string, budget: number): Part | undefined {
  // A longer text is found by its head; it could not be shown whole.
  const head = wanted.length > LONGEST_EDGE ? wanted.slice(0, LONGEST_FIT) : wanted;
  const pieces = piecesOf(haystack, head.length);
  const texts = pieces.map(({ text }) => text);
  let left = budget / 2;
  let best: Part | undefined;
  for (const { start } of countVotes(texts, [head], CANDIDATES)) {
    const piece = pieces[start];
    if (piece === undefined || (best !== undefined && left < 0)) break;
    left -= piece.text.length * Math.min(head.length, LONGEST_FIT);
    const found = fit(piece.text, head, { start: false, end: false });
    if (best !== undefined && found.similarity <= best.similarity) continue;
    const from = piece.column + found.from;
    best = { line: piece.line, from, to: piece.column + found.to, similarity: found.similarity };
  }
  if (best === undefined || head === wanted) return best;
  return { ...best, to: Math.min((haystack[best.line] ?? "").length, best.from + wanted.length) };
}

/** Long lines overlap in pieces, so that one of them holds the whole part. */
function piecesOf(haystack: readonly string[], wanted: number): readonly Piece[] {
  const size = Math.max(SHORTEST_PIECE, wanted * 4);
  const step = size - Math.ceil(wanted * 1.5);
  const pieces: Piece[] = [];
  for (const [line, text] of haystack.entries()) {
    for (let column = 0; column === 0 || column + size - step < text.length; column += step) {
      pieces.push({
        text: column === 0 && text.length <= size ? text : text.slice(column, column + size),
        line,
        column,
      });
    }
  }
  return pieces;
}
