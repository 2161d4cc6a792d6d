import { templateOf } from "./fold.js";

/** Hits of a file up to which nothing is folded, because a note would cost as much. */
const FEW = 20;
/** Shown hits for each template, its first and its last. */
const KEPT = 2;

/** A line with its file. */
export interface FoldedLine {
  readonly path: string;
  readonly text: string;
}

/** Hits that differ from another hit only in numbers. */
export interface Fold<H> {
  /** Hits that the text leaves out. */
  readonly hidden: ReadonlySet<H>;
  /** Left-out hits by the first hit of their template. */
  readonly groups: ReadonlyMap<H, readonly H[]>;
}

/** Folds log lines: keeps the first and the last hit of each template, and hits that match no other. */
export function foldLines<H>(hits: readonly H[], lineOf: (hit: H) => FoldedLine): Fold<H> {
  const groups = new Map<H, readonly H[]>();
  for (const ofFile of grouped(hits, (hit) => lineOf(hit).path)) {
    if (ofFile.length <= FEW) continue;
    for (const [first, ...others] of grouped(ofFile, (hit) => templateOf(lineOf(hit).text)))
      if (first !== undefined && others.length > KEPT) groups.set(first, others.slice(0, -1));
  }
  return { hidden: new Set([...groups.values()].flat()), groups };
}

function grouped<H>(hits: readonly H[], keyOf: (hit: H) => string): Iterable<readonly H[]> {
  const groups = new Map<string, H[]>();
  for (const hit of hits) {
    const key = keyOf(hit);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else group.push(hit);
  }
  return groups.values();
}
