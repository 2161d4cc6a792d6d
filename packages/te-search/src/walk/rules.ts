import type { CompiledIgnore, RuleRoom, Bytes } from "@llmc/names";
import { type Descriptor, type Work, readRules, type Scope } from "@llmc/te-path";
import { excludesOf } from "./git-excludes.js";

/** Rules from the folder where they stand up to the first that has any. */
interface Chain {
  readonly rules: CompiledIgnore;
  /** Where in a real path begins what lies below their folder. */
  readonly start: number;
  readonly above: Chain | undefined;
}

/** What is in force in a folder. Each kind goes before those below it, whichever folders they stand in, as in rg. */
export interface FolderRules {
  readonly rg: Chain | undefined;
  readonly ignore: Chain | undefined;
  readonly git: Chain | undefined;
  readonly exclude: Chain | undefined;
  readonly byPath: boolean;
  readonly files: number;
  readonly wildBytes: number;
  /** Those of this folder alone. */
  readonly own: readonly CompiledIgnore[];
}

export const NO_RULES: FolderRules = {
  rg: undefined,
  ignore: undefined,
  git: undefined,
  exclude: undefined,
  byPath: false,
  files: 0,
  wildBytes: 0,
  own: [],
};

const KINDS = [
  [".rgignore", "rg"],
  [".ignore", "ignore"],
  [".gitignore", "git"],
] as const;

export const GIT = ".git";
export const RULE_NAMES: readonly Bytes[] = [...KINDS.map(([name]) => name), GIT];

// Each name meets the rules of every folder above it: nobody nests so many, and nobody should wait for who does.
const MAX_FILES = 100;
const MAX_WILD_BYTES = 32_768;

/** What a folder says of itself: which of the names that matter it holds, and as what. */
export type Present = ReadonlyMap<Bytes, "file" | "folder" | "link" | "other">;

/** With the rules of a folder that is held. */
export function* rulesWith(
  room: RuleRoom,
  { scope, root }: { readonly scope: Scope; readonly root: Bytes },
  { folder, real }: { readonly folder: Descriptor; readonly real: Bytes },
  above: FolderRules,
  present: Present,
): Work<FolderRules> {
  if (present.size === 0) return above.own.length === 0 ? above : { ...above, own: [] };
  const git = present.get(GIT);
  // A repository starts anew.
  let rules: FolderRules = { ...above, own: [] };
  if (git !== undefined) rules = { ...rules, git: undefined, exclude: undefined };
  for (const [name, kind] of KINDS) {
    if (present.get(name) !== "file") continue;
    rules = withText(room, rules, kind, real, yield* readRules(folder, name));
  }
  if (git !== undefined)
    rules = withText(room, rules, "exclude", real, yield* excludesOf(scope, root, { folder, real }, git));
  return rules;
}

function withText(
  room: RuleRoom,
  rules: FolderRules,
  kind: "rg" | "ignore" | "git" | "exclude",
  real: Bytes,
  text: Bytes | undefined,
): FolderRules {
  const own = text === undefined || text === "" ? undefined : room.take(text);
  if (own === undefined || own.taken === 0) return rules;
  if (rules.files >= MAX_FILES || rules.wildBytes + own.wildBytes > MAX_WILD_BYTES) {
    room.skipped += own.taken;
    room.giveBack(own);
    return rules;
  }
  return {
    ...rules,
    [kind]: { rules: own, start: real === "/" ? 1 : real.length + 1, above: rules[kind] },
    byPath: rules.byPath || own.byPath,
    files: rules.files + 1,
    wildBytes: rules.wildBytes + own.wildBytes,
    own: [...rules.own, own],
  };
}

/** Whether a name in a folder is ignored (true) or kept whatever else (false); undefined: no rule is about it. */
export function ignoredBy(rules: FolderRules, folder: Bytes, name: Bytes, isFolder: boolean): boolean | undefined {
  if (rules.files === 0) return undefined;
  const path = !rules.byPath ? name : folder === "/" ? `/${name}` : `${folder}/${name}`;
  return (
    say(rules.rg, name, path, isFolder) ??
    say(rules.ignore, name, path, isFolder) ??
    say(rules.git, name, path, isFolder) ??
    say(rules.exclude, name, path, isFolder)
  );
}

function say(chain: Chain | undefined, name: Bytes, path: Bytes, isFolder: boolean): boolean | undefined {
  for (let at = chain; at !== undefined; at = at.above) {
    const said = at.rules.verdict(name, path, at.start, isFolder);
    if (said !== undefined) return said;
  }
  return undefined;
}
