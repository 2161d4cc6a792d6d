import { type RuleRoom, namesOf } from "@llmc/names";
import type { Work, Scope } from "@llmc/te-path";
import type { SearchRoot } from "../search-root/search-root.js";
import { presentIn } from "./present.js";
import { Reach } from "./reach.js";
import { NO_RULES, rulesWith, type FolderRules } from "./rules.js";

/** Collects the ignore rules for the search root from the folders above it, up to its root and no higher. */
export function* rulesAbove(scope: Scope, searchRoot: SearchRoot, room: RuleRoom): Work<FolderRules> {
  const root = searchRoot.root.real;
  const names = namesOf(searchRoot.real.slice(root === "/" ? 0 : root.length));
  const reach = new Reach(scope, { ...searchRoot, real: root, kind: "folder" });
  let rules = NO_RULES;
  try {
    for (const depth of names.keys()) {
      const at = yield* reach.folder(names.slice(0, depth).join("/"));
      if (at === undefined) return rules;
      rules = yield* rulesWith(room, { scope, root }, at, rules, yield* presentIn(at.folder));
    }
    return rules;
  } finally {
    yield* reach.end();
  }
}
