import { listedKindOf, type Listed, lstatMany, type Descriptor, type Work } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import { RULE_NAMES, type Present } from "./rules.js";

const DOT = 46;
const NONE: Present = new Map();

/** Which names that matter for rules are among all that a folder holds. */
export function presentAmong(names: readonly Listed[]): Present {
  let present: Map<Bytes, Listed["kind"]> | undefined;
  for (const { name, kind } of names) {
    if (name.charCodeAt(0) === DOT && RULE_NAMES.includes(name)) (present ??= new Map()).set(name, kind);
  }
  return present ?? NONE;
}

/** The same, asked of a folder with many names. */
export function* presentIn(folder: Descriptor): Work<Present> {
  const found = yield* lstatMany(folder, RULE_NAMES);
  const present = new Map<Bytes, Listed["kind"]>();
  RULE_NAMES.forEach((name, nth) => {
    const each = found[nth];
    if (each !== undefined && "stat" in each) present.set(name, listedKindOf(each.stat));
  });
  return present;
}
