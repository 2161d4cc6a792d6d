import type { Bytes } from "../path/bytes.js";
import { contains } from "../path/names.js";
import { Automaton } from "../automaton/automaton.js";
import { readIgnoreLines, type IgnoreLine } from "./ignore-lines.js";
import { Builder, type Maybe } from "../automaton/nfa.js";
import { wildmatchPlaces } from "./wildmatch.js";

/** What one .gitignore says, as git reads it: byte by byte, and the last rule that matches counts. */
export interface IgnoreRules {
  /** Whether these rules ignore it (true) or keep it (false); undefined: none of them is about it. */
  verdict(path: Bytes, isFolder: boolean): boolean | undefined;
  /** How many are in force, and how many were beyond what is taken from one file. */
  readonly taken: number;
  readonly skipped: number;
  /** The length of those that have wildcards: what it costs to follow them. */
  readonly wildBytes: number;
}

/** The same, wherever the file lies. */
export interface CompiledIgnore extends Omit<IgnoreRules, "verdict"> {
  /** Of a name in or below the folder of the file; where that begins in its path, its own part from `start` on counts. */
  verdict(name: Bytes, path: Bytes, start: number, isFolder: boolean): boolean | undefined;
  /** Without it only names count, and nobody has to put paths together. */
  readonly byPath: boolean;
  /** About what it takes in memory. */
  readonly bytes: number;
}

const MAX_RULES = 50_000;
// Rules with wildcards are followed all at once, so together they have a bound of their own.
const MAX_WILD_BYTES = 16_384;

// What is kept of a file, of each of its rules, and of each character of those with wildcards; measured.
const FILE_BYTES = 3000;
const RULE_BYTES = 150;
const WILD_BYTES = 50;

/** By name or path, the last rule that is about a file of it, and about a folder. */
type Literals = ReadonlyMap<Bytes, Last>;

interface Last {
  readonly file: number;
  readonly folder: number;
}

interface Wild {
  readonly names: Automaton | undefined;
  readonly paths: Automaton | undefined;
  readonly skipped: number;
  readonly bytes: number;
}

/** `base` is the folder of the file, relative to the same folder as the paths that are asked about; "" is that one. */
export function compileIgnore(text: Bytes, base: Bytes = ""): IgnoreRules {
  return rulesIn(compileIgnoreText(text), base);
}

export function rulesIn({ taken, skipped, wildBytes, verdict }: CompiledIgnore, base: Bytes): IgnoreRules {
  const start = base === "" ? 0 : base.length + 1;
  return {
    taken,
    skipped,
    wildBytes,
    verdict(path, isFolder) {
      if (base !== "" && (path === base || !contains(base, path))) return undefined;
      return verdict(path.slice(path.lastIndexOf("/") + 1), path, start, isFolder);
    },
  };
}

export function compileIgnoreText(text: Bytes): CompiledIgnore {
  const all = readIgnoreLines(text);
  const lines = all.slice(0, MAX_RULES);
  const names = literals(lines, true);
  const paths = literals(lines, false);
  const wild = wildcards(lines);
  const keeps = new Set(lines.flatMap(({ negated }, rule) => (negated ? rule : [])));

  const lastRule = (name: Bytes, path: Bytes, start: number, isFolder: boolean): number =>
    Math.max(
      names.size === 0 ? -1 : ruleOf(names.get(name), isFolder),
      paths.size === 0 ? -1 : ruleOf(paths.get(path.slice(start)), isFolder),
      ruleOf(wild.names?.reach(name, 0, name.length), isFolder),
      ruleOf(wild.paths?.reach(path, start, path.length), isFolder),
    );

  return {
    taken: lines.length - wild.skipped,
    skipped: all.length - lines.length + wild.skipped,
    wildBytes: wild.bytes,
    byPath: paths.size > 0 || wild.paths !== undefined,
    bytes: FILE_BYTES + text.length + RULE_BYTES * lines.length + WILD_BYTES * wild.bytes,
    verdict(name, path, start, isFolder) {
      const rule = lastRule(name, path, start, isFolder);
      return rule < 0 ? undefined : !keeps.has(rule);
    },
  };
}

function ruleOf(last: Last | undefined, isFolder: boolean): number {
  if (last === undefined) return -1;
  return isFolder ? last.folder : last.file;
}

function literals(lines: readonly IgnoreLine[], byName: boolean): Literals {
  const last = new Map<Bytes, Last>();
  lines.forEach((line, rule) => {
    if (!line.literal || line.byName !== byName) return;
    const file = line.foldersOnly ? (last.get(line.pattern)?.file ?? -1) : rule;
    last.set(line.pattern, { file, folder: rule });
  });
  return last;
}

function wildcards(lines: readonly IgnoreLine[]): Wild {
  const builder = new Builder(3 * MAX_WILD_BYTES);
  const names: Maybe[] = [];
  const paths: Maybe[] = [];
  let [bytes, skipped] = [0, 0];
  lines.forEach(({ literal, byName, foldersOnly, pattern }, rule) => {
    if (literal) return;
    if (bytes + pattern.length > MAX_WILD_BYTES) {
      skipped += 1;
      return;
    }
    bytes += pattern.length;
    (byName ? names : paths).push(wildmatchPlaces(builder, pattern, builder.accept(rule, foldersOnly)));
  });
  return { names: following(builder, names), paths: following(builder, paths), skipped, bytes };
}

function following(builder: Builder, starts: readonly Maybe[]): Automaton | undefined {
  const start = builder.either(...starts);
  return start && new Automaton(start, { dot: true, bytewise: true });
}
