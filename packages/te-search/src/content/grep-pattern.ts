import { InvalidArgumentError, type Advice } from "@llmc/errors";
import type { ContentQuery } from "../query/content-query.js";
import type { Grep } from "../engines/engine.js";
import { spansLines } from "./check-query.js";

const WITH_RIPGREP = "Write it without, or install ripgrep.";
/** All of Unicode; "\r\n" ends a line for `$`, and `.` stops before it. */
const BEFORE = "(*UCP)(*ANYCRLF)(?m)(?:";
/** The end of a line is no part of a match, and neither is the "\r" before it. */
const BEHIND = String.raw`)(?!(?<=\r)\z)`;

/** What ripgrep writes otherwise than PCRE2, for the same. */
const SPELLED: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  "<": String.raw`\b(?=\w)`,
  ">": String.raw`\b(?<=\w)`,
  v: String.raw`\x0b`,
};
/** Of ASCII alone; to PCRE2 they would be of all of Unicode. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\t\x20`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: String.raw`\x20-~`,
  punct: "!-/:-@\\[-`{-~",
  space: String.raw`\t-\r\x20`,
  upper: "A-Z",
  word: "0-9A-Z_a-z",
  xdigit: "0-9A-Fa-f",
};
const BOUNDARIES: Readonly<Record<string, string>> = {
  "{start}": String.raw`\b(?=\w)`,
  "{end}": String.raw`\b(?<=\w)`,
  "{start-half}": String.raw`(?<!\w)`,
  "{end-half}": String.raw`(?!\w)`,
};

export interface GrepPattern {
  /** The arguments that say what to look for. */
  readonly arguments: readonly string[];
  /** It is looked for as it stands: no grep has anything against it. */
  readonly isText: boolean;
}

/** A pattern means what it means to ripgrep, or is refused. */
export function grepPattern(query: ContentQuery, { name, hasPcre2 }: Grep): GrepPattern {
  const { pattern, literal, ignoreCase } = query;
  if (spansLines(query)) throw lacks(name, "hits that span lines", { id: "match-single-lines" });
  const flags = ignoreCase ? ["-i"] : [];
  if (literal || !SPECIAL.test(pattern)) {
    // -F takes a dotless ı for an i, and is slow about case.
    const isFolded = ignoreCase && hasPcre2 && Buffer.byteLength(pattern) <= MAX_FOLDED_BYTES;
    const text = isFolded ? ["-P", "-i", "-e", `(*UCP)${pattern.replaceAll(SPECIALS, String.raw`\$&`)}`] : undefined;
    return { arguments: text ?? ["-F", ...flags, "-e", pattern], isText: true };
  }
  if (!hasPcre2) throw lacks(name, "regular expressions here", { id: "search-as-text-or-ripgrep" });
  return { arguments: ["-P", ...flags, "-e", BEFORE + translated(pattern, name) + BEHIND], isText: false };
}

const SPECIAL = /[\\^$.|?*+()[\]{}]/;
const SPECIALS = new RegExp(SPECIAL, "g");
/** Of 64 KiB a compiled pattern takes some for each character. */
const MAX_FOLDED_BYTES = 4096;

function lacks(engine: string, what: string, hint: Advice = WITH_RIPGREP): InvalidArgumentError {
  return new InvalidArgumentError(`The engine here is ${engine}; it has no ${what}`, hint);
}

function translated(pattern: string, engine: string): string {
  if (pattern.startsWith("(*")) throw lacks(engine, "verbs like (*…)");
  const flags = /\(\?[a-zA-Z]*-?[a-zA-Z]*[uRx][a-zA-Z]*[:)]/.exec(pattern.replaceAll(/\\[^]/g, ""));
  if (flags !== null) throw lacks(engine, `flags like ${flags[0]}`);
  let [out, at, isInClass] = ["", 0, false];
  while (at < pattern.length) {
    const char = pattern[at] as string;
    if (char === "\\") {
      const [text, length] = escape(pattern.slice(at), isInClass);
      out += text;
      at += length;
      continue;
    }
    if (isInClass) refuseInClass(pattern.slice(at), engine);
    else refusePossessive(pattern.slice(at), engine);
    const posix = isInClass ? /^\[:(\w+):\]/.exec(pattern.slice(at)) : null;
    const opened = isInClass || char !== "[" ? undefined : /^\[\^?\]?/.exec(pattern.slice(at))?.[0];
    const part = posix?.[0] ?? opened ?? char;
    if (opened !== undefined) isInClass = true;
    else if (posix === null && char === "]") isInClass = false;
    out += POSIX[posix?.[1] ?? ""] ?? part;
    at += part.length;
  }
  return out;
}

/** ripgrep reads sets within sets, and what is done with two of them. */
function refuseInClass(rest: string, engine: string): void {
  const operator = /^(?:&&|--|~~)/.exec(rest)?.[0];
  if (operator !== undefined) throw lacks(engine, `${operator} between sets of characters`);
  if (/^\[(?!:\w+:\])/.test(rest)) throw lacks(engine, "sets of characters within sets");
}

/** To ripgrep the "+" repeats what is repeated. */
function refusePossessive(rest: string, engine: string): void {
  const twice = /^(?:[*+?]|\{\d+(?:,\d*)?\})\+/.exec(rest)?.[0];
  if (twice !== undefined) throw lacks(engine, `repetitions like ${twice}`);
}

/** An escape, and how much of the pattern it takes. */
function escape(rest: string, isInClass: boolean): readonly [text: string, length: number] {
  const boundary = isInClass ? null : /^\\b(\{[a-z-]+\})/.exec(rest);
  const spelled = boundary === null ? undefined : BOUNDARIES[boundary[1] ?? ""];
  if (boundary !== null && spelled !== undefined) return [spelled, boundary[0].length];
  const code = /^\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[uU]\{([0-9a-fA-F]+)\})/.exec(rest);
  if (code !== null) return [`\\x{${code[1] ?? code[2] ?? code[3]}}`, code[0].length];
  const next = rest[1] ?? "";
  const other = isInClass && (next === "<" || next === ">") ? undefined : SPELLED[next];
  return [other ?? rest.slice(0, 2), 2];
}
