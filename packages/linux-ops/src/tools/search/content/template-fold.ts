import { templateOf } from "@llmc/te-system";
import type { ContentHit } from "./content-result.js";

/** Of one file: below so many hits all of them are shorter than a word about them. */
const FEW = 20;
/** Hits of one template that are shown: its first and its last. */
const KEPT = 2;

/** Hits that differ from another one in numbers only. */
export interface Fold {
  /** Left out of the text. */
  readonly hidden: ReadonlySet<ContentHit>;
  /** By the first hit of a template: those that are left out for it. */
  readonly groups: ReadonlyMap<ContentHit, readonly ContentHit[]>;
}

/** Folds lines as logs have them: of each template the first and the last stay, and all that fit no other. */
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

/** The line of a hit, without those around it. */
function lineOf({ snippet, line, first_line = line }: ContentHit): string {
  return snippet.split("\n")[line - first_line] ?? "";
}
