import { type Work, type Kind, printOf, printsIn, type Scope, Progress, survey, withEntry } from "@llmc/te-path";
import { type Bytes, join, displayPath } from "@llmc/names";
import { atPath, contentAt } from "./at-path.js";
import { changed } from "./conflict.js";
import type { CopiedTree } from "../store/steps.js";

interface Suspect {
  readonly way: readonly Bytes[];
  readonly kind: Kind;
  /** Written after the copy was done; the clock of files need not have moved on by then. */
  readonly isLater: boolean;
}

/** More than that were not remembered either. */
const MOST = 2000;

/**
 * Refuses a copied folder that holds what others changed or added. One look at each entry: only what was changed since the
 * copy was done, as its time says, is read.
 */
export function* demandAsCopied(scope: Scope, path: Bytes, { entries, changedNs, prints }: CopiedTree): Work<void> {
  const since = BigInt(changedNs);
  const suspects: Suspect[] = [];
  const found = yield* atPath(scope, path, (target) =>
    withEntry(target, (top) =>
      survey(top, {
        shown: displayPath(path),
        progress: new Progress(undefined),
        each({ way, stat, kind }): undefined {
          if (stat.ctimeNs >= since && suspects.length <= MOST)
            suspects.push({ way: way(), kind, isLater: stat.ctimeNs > since || stat.mtimeNs === since });
        },
      }),
    ),
  );
  const known = prints === undefined ? undefined : printsIn(prints);
  for (const { way, kind, isLater } of suspects) {
    const below = join(path, ...way);
    if (known === undefined && isLater && kind !== "folder") throw changed(below);
    if (known === undefined) continue;
    const what = kind === "file" ? (yield* atPath(scope, below, (target) => contentAt(target))).sha256 : kind;
    if (!known.has(printOf(way, what))) throw changed(below, "was changed or added since");
  }
  // The top counts as well.
  if (found.entries + 1 > entries) throw changed(path, "holds more than was copied");
}
