import { InvalidArgumentError, several, type Remedy } from "@llmc/errors";
import type { Bytes } from "@llmc/names";

const AS_TEXT: Remedy = { id: "search-as-text" };
/** Most characters of an engine's message. */
const LONGEST_PROBLEM = 120;

/** What an engine says against a pattern, as an error; undefined where it says something else. */
export function refusal(complaint: Bytes, engine: string): InvalidArgumentError | undefined {
  const said = Buffer.from(complaint, "latin1").toString("utf8");
  // Where two engines have tried. A pattern of several lines is set off by such lines as well.
  const own = /default regex engine error:\n~~~+\n([^]*)\n~~~+\n\nPCRE2 /.exec(said)?.[1] ?? said.replace(/^rg: /, "");
  if (/exceeds size limit/i.test(own)) {
    return new InvalidArgumentError(`The pattern is too large for ${engine}`, "Use smaller counts in {…}.");
  }
  if (/is not allowed in a regex/.test(own)) {
    return new InvalidArgumentError("The pattern matches an end of line", { id: "write-newline" });
  }
  const parse = /regex parse error:\n([^]*?)\nerror: ([^\n]+)/.exec(own);
  const perl = /PCRE2: error compiling pattern at offset \d+: ([^\n]+)/.exec(said)?.[1];
  if (perl !== undefined && (parse === null || IS_PERL.test(parse[2] ?? ""))) return notRegex(perl);
  if (parse !== null) return parseError(parse[1] ?? "", parse[2] ?? "", engine);
  const glob = /error parsing glob '([^]*)': ([^\n]+)/.exec(own);
  if (glob === null) return undefined;
  return new InvalidArgumentError(
    `The glob ${JSON.stringify(glob[1])} cannot be read: ${glob[2]}`,
    'Globs look like "*.ts", "src/**".',
  );
}

const IS_PERL = /(?:look-around|backreferences).*not supported/;

function parseError(shown: string, problem: string, engine: string): InvalidArgumentError {
  if (IS_PERL.test(problem)) {
    const what = problem.startsWith("back") ? "references back" : "look-around";
    return new InvalidArgumentError(`${engine} has no ${what} here`, several("Write the pattern without it.", AS_TEXT));
  }
  return endsInEscape(shown)
    ? notRegex("a backslash at its end escapes nothing")
    : notRegex(problem, placeOf(shown, problem));
}

function notRegex(problem: string, place = ""): InvalidArgumentError {
  return new InvalidArgumentError(`Not a valid regular expression: ${problem}${place}`, {
    id: "search-as-text",
    problem: problem.slice(0, LONGEST_PROBLEM),
  });
}

/** What ripgrep puts around a pattern. */
const WRAPPED = "    (?:";

/** The parenthesis behind it was ripgrep's, which then lacks it. */
function endsInEscape(shown: string): boolean {
  const [pattern = ""] = shown.split("\n");
  return pattern.startsWith(WRAPPED) && /(?:^|[^\\])(?:\\\\)*\\\)$/.test(pattern);
}

/** `    (?:a(b)` above `        ^`: where in the pattern that is, if it is one line. */
function placeOf(shown: string, problem: string): string {
  const [pattern = "", marks = "", ...more] = shown.split("\n");
  const start = marks.indexOf("^");
  if (more.length > 0 || start === -1) return "";
  const isWrapped = pattern.startsWith(WRAPPED);
  // The first that is not opened closes what ripgrep has opened.
  if (isWrapped && problem === "unopened group") return "";
  if (isWrapped && start >= pattern.length - 1) return " at its end";
  const wrapped = isWrapped ? WRAPPED.length : 4;
  const part = pattern.slice(start, marks.lastIndexOf("^") + 1);
  return start < wrapped || part === ""
    ? ""
    : ` at ${JSON.stringify(part.slice(0, 60))}, character ${start - wrapped + 1}`;
}
