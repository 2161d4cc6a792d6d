import { templateOf } from "@llmc/te-system";
import type { ContentHit } from "./content-result.js";

/** Hits of a file up to which nothing is folded, because a note would cost as much. */
const FEW = 20;
/** Shown hits of one template, its first and its last. */
const KEPT = 2;

/** Hits that differ from another hit only in numbers. */
export interface Fold {
  /** Hits that the text leaves out. */
  readonly hidden: ReadonlySet<ContentHit>;
  /** Left-out hits by the first hit of their template. */
  readonly groups: ReadonlyMap<ContentHit, readonly ContentHit[]>;
}

/** Folds log lines: keeps the first and the last hit of each template, and hits that match no other. */
export function foldTemplates(hits: readonly ContentHit[]): Fold {
  const groups = new Map<ContentHit, readonly ContentHit[]>();
  for (const ofFile of grouped(hits, ({ path }) => path)) {
    if (ofFile.length <= FEW) continue;
    for (const [first, ...others] of grouped(ofFile, (hit) => templateOf(lineOf(hit))))
      if (first !== undefined && others.length > KEPT) groups.set(first, others.slice(0, -1));
  }
  return { hidden: new Set([...groups.values()].flat()), groups };
}

function grouped(hits: readonly ContentHit[], keyOf: (hit: ContentHit) => string): Iterable<readonly ContentHit[]> {
  const groups = new Map<string, ContentHit[]>();
  for (const hit of hits) {
    const key = keyOf(hit);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else group.push(hit);
  }
  return groups.values();
}

/** Returns the line of a hit without the lines around it. */
function lineOf({ snippet, line, first_line = line }: ContentHit): string {
  return snippet.split("\n")[line - first_line] ?? "";
}
