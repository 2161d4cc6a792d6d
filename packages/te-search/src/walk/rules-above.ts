import { type RuleRoom, namesOf } from "@llmc/names";
import type { Work, Scope } from "@llmc/te-path";
import type { SearchRoot } from "../search-root/search-root.js";
import { presentIn } from "./present.js";
import { Reach } from "./reach.js";
import { NO_RULES, rulesWith, type FolderRules } from "./rules.js";

/** What the folders above the search root say of what lies below it: those from the root on, and none above that. */
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
