import { parseArgs } from "node:util";
import { distance } from "fastest-levenshtein";
import type { Flag, Program } from "./command.js";
import { UsageError } from "./refusal.js";

/** What was typed, by flag. A switch that was given is `true`. */
export interface CommandLine {
  /** The words of the sub-command, or "" for the program itself. */
  readonly command: string;
  /** Folders that were given without a flag. */
  readonly folders: readonly string[];
  has(flag: string): boolean;
  one(flag: string): string | undefined;
  all(flag: string): readonly string[] | undefined;
}

const SHORT: Readonly<Record<string, string>> = { h: "help", V: "version" };

export function parseCommandLine(program: Program, argv: readonly string[]): CommandLine {
  const flags = new Map(program.flags.map((flag) => [flag.name, flag]));
  const options = Object.fromEntries(
    program.flags.map(({ name, value }) => [name, { type: value === undefined ? "boolean" : "string" } as const]),
  );
  // Not strict: its messages run over several lines and name no neighbour.
  const { tokens } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false, tokens: true });

  const given = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const flag = flags.get(token.rawName.startsWith("--") ? token.name : (SHORT[token.name] ?? ""));
    if (flag === undefined) throw unknownFlag(program, token.rawName);
    const value = valueOf(flag, token);
    given.set(flag.name, flag.repeatable ? [...(given.get(flag.name) ?? []), value] : [value]);
  }
  return {
    ...positionals(program, words),
    has: (name) => given.has(name),
    one: (name) => given.get(name)?.[0],
    all: (name) => given.get(name),
  };
}

/** Counts the words of the flags before the first other word, which begins the command line of another program. */
export function leadingFlags({ flags }: Program, argv: readonly string[]): number {
  let at = 0;
  for (let word = argv[at]; word !== undefined && /^-./.test(word) && word !== "--"; word = argv[at]) {
    const flag = flags.find(({ name }) => word === `--${name}`);
    at += flag?.value === undefined ? 1 : 2;
  }
  return Math.min(at, argv.length);
}

function valueOf(flag: Flag, token: { readonly value: string | undefined; readonly inlineValue: boolean | undefined }) {
  const { value, inlineValue } = token;
  if (flag.value === undefined) {
    if (value !== undefined) throw new UsageError(`--${flag.name} takes no value`);
    return "true";
  }
  // `--root --read-only` forgot the folder; a folder of that name can be written --root=--read-only.
  const swallowed = inlineValue === false && value?.startsWith("--") === true;
  if (value === undefined || value === "" || swallowed)
    throw new UsageError(`--${flag.name} needs a value: ${flag.value}`);
  return value;
}

function unknownFlag({ flags }: Program, rawName: string): UsageError {
  const nearest = nearestOf(
    rawName,
    flags.map(({ name }) => `--${name}`),
  );
  return new UsageError(`unknown flag ${quote(rawName)}${nearest}`);
}

/** Reads words as a command or as folders. A typo of a command must not become a root. */
function positionals({ commands }: Program, words: readonly string[]): Pick<CommandLine, "command" | "folders"> {
  const command = words.join(" ");
  if (command === "" || Object.hasOwn(commands, command)) return { command, folders: [] };
  const known = Object.keys(commands);
  const isCommand = words.some((word) => !/[/.~]/.test(word) && (known.includes(word) || isNear(word, known)));
  if (isCommand || words.some((word) => word === "" || word.startsWith("-")))
    throw new UsageError(`unknown command ${quote(command)}${nearestOf(command, known)}`);
  return { command: "", folders: words };
}

function isNear(word: string, known: readonly string[]): boolean {
  return known.some((name) => distance(word.slice(0, 60), name) <= Math.max(1, name.length / 3));
}

function nearestOf(typed: string, known: readonly string[]): string {
  const shown = typed.slice(0, 60);
  // Of two that are equally near, the one that begins alike: nobody mistypes a first letter.
  const ranked = known
    .map((name) => ({ name, distance: distance(shown, name), alike: commonPrefix(shown, name) }))
    .toSorted((a, b) => a.distance - b.distance || b.alike - a.alike);
  const [best] = ranked;
  const near = best !== undefined && best.distance <= Math.max(2, shown.length / 3);
  return near ? `; did you mean ${best.name}?` : "; --help lists what there is";
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

function quote(typed: string): string {
  return JSON.stringify(typed.slice(0, 60));
}
