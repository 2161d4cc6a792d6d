import { leadingFlags, parseCommandLine, UsageError, type CommandLine } from "@llmc/cli";
import { TE } from "./program.js";

/** Places given by flags; the servers' own places otherwise. */
export interface Places {
  readonly config: string | undefined;
  readonly dataDir: string | undefined;
}

export interface AskedCommand {
  readonly kind: "command";
  /** At least one. */
  readonly words: readonly string[];
  readonly json: boolean;
  readonly raw: boolean;
  /** Tokens. */
  readonly budget: number | undefined;
  readonly places: Places;
}

export interface AskedHandle {
  readonly kind: "handle";
  readonly handle: string;
  readonly chunk: number | undefined;
  readonly lines: string | undefined;
  readonly match: string | undefined;
  readonly places: Places;
}

export type Asked = AskedCommand | AskedHandle | { readonly kind: "help" } | { readonly kind: "version" };

/** Reads the command line of te. */
export function readAsked(argv: readonly string[]): Asked {
  const own = leadingFlags(TE, argv);
  const line = parseCommandLine(TE, argv.slice(0, own));
  const words = argv.slice(argv[own] === "--" ? own + 1 : own);
  if (line.has("help") || argv.length === 0) return { kind: "help" };
  if (line.has("version")) return { kind: "version" };
  const places = { config: line.one("config"), dataDir: line.one("data-dir") };
  const handle = line.one("handle");
  if (handle !== undefined) return askedHandle(line, { handle, words, places });
  const part = ["chunk", "lines", "match"].find((name) => line.has(name));
  if (part !== undefined) throw new UsageError(`--${part} goes with --handle H`);
  if (words.length === 0) throw new UsageError("a command is missing");
  const [json, raw, budget] = [line.has("json"), line.has("raw"), numberOf(line, "budget", 1)];
  if (raw && budget !== undefined) throw new UsageError("--raw shortens nothing, so --budget does not go with it");
  return { kind: "command", words, json, raw, budget, places };
}

function askedHandle(
  line: CommandLine,
  { handle, words, places }: { handle: string; words: readonly string[]; places: Places },
): AskedHandle {
  const other = ["json", "raw", "budget"].find((name) => line.has(name));
  if (other !== undefined) throw new UsageError(`--${other} goes with a command, not with --handle`);
  if (words.length > 0) throw new UsageError("--handle takes no command");
  const [chunk, lines, match] = [numberOf(line, "chunk", 0), line.one("lines"), line.one("match")];
  if (chunk !== undefined && (lines ?? match) !== undefined)
    throw new UsageError("--chunk does not go with --lines or --match");
  return { kind: "handle", handle, chunk, lines, match, places };
}

function numberOf(line: CommandLine, name: string, least: number): number | undefined {
  const value = line.one(name);
  if (value === undefined) return undefined;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : -1;
  if (number < least) throw new UsageError(`--${name} needs a whole number from ${least} on`);
  return number;
}
