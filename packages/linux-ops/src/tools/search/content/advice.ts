import { OpsError } from "@llmc/errors";
import type { ContentQuery, Search } from "@llmc/te-search";
import type { Found, Source } from "./source.js";

/** What one more look may take. */
export const LOOK_MS = 1000;
/** Of a glob, at its beginning, that are tried without. */
const MAX_FOLDERS = 3;
/** A longer pattern is not told once more. */
const MAX_TOLD = 1000;

export interface NothingFound {
  readonly search: Search;
  readonly source: Source;
  readonly query: ContentQuery;
  readonly found: Found;
  readonly signal: AbortSignal;
}

/** What finds something where nothing was found: it was tried. Undefined where nothing helps that we know of. */
export async function adviceForNone(nothing: NothingFound): Promise<string | undefined> {
  const { query, found } = nothing;
  if (found.endedBy === "deadline") return "Name a smaller root, or a file_glob.";
  return (await globAdvice(nothing)) ?? (await firstThatFinds(nothing, changesFor(query)));
}

interface Change {
  readonly query: Partial<ContentQuery>;
  readonly words: string;
}

function changesFor({ pattern, literal, ignoreCase, multiline }: ContentQuery): Change[] {
  const changes: Change[] = [];
  const plain = pattern.replaceAll(/\\([|(){}+?])/g, "$1");
  if (!literal && looksLiteral(pattern)) changes.push({ query: { literal: true }, words: "literal=true finds it." });
  if (!literal && plain !== pattern)
    changes.push({
      query: { pattern: plain },
      words: `Without \\ it finds something: pattern=${JSON.stringify(plain)}.`,
    });
  if (literal && /\\|\.[*+?]|\|/.test(pattern))
    changes.push({ query: { literal: false }, words: "literal=false finds it." });
  if (!ignoreCase) changes.push({ query: { ignoreCase: true }, words: "ignore_case=true finds it." });
  const spanning = literal || pattern.length > MAX_TOLD ? pattern : overLines(pattern);
  if (!multiline && spanning !== pattern)
    changes.push({
      query: { pattern: spanning, multiline: true },
      words: `Over several lines it finds something: pattern=${JSON.stringify(spanning)}.`,
    });
  if ((literal ? /\n/ : /\n|\\n/).test(pattern) && pattern.length <= MAX_TOLD)
    changes.push(withCarriageReturns(pattern, literal));
  return changes;
}

/** Writes out the newline that \s and [^…] can match, because only then can a hit span lines. */
function overLines(pattern: string): string {
  return pattern.replaceAll(/\\[^]|\[\^(?:\\[^]|[^\]\\])+\]/g, (part) => {
    if (part === "\\s") return String.raw`[\s\n]`;
    return part.startsWith("[") ? `(?:${part}|\\n)` : part;
  });
}

/** Lines that end in CRLF are shown as others are, so that nobody knows of it. */
function withCarriageReturns(pattern: string, literal: boolean): Change {
  const regex = literal ? pattern.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`) : pattern;
  const either = regex.replaceAll(/\\n|\n|\\[^]/g, (part) => (/\n|^\\n/.test(part) ? String.raw`\r?\n` : part));
  const call = `${literal ? "literal=false, " : ""}pattern=${JSON.stringify(either)}`;
  return { query: { pattern: either, literal: false }, words: `Lines end in CRLF; this finds it: ${call}.` };
}

/** Signs that a regular expression reads otherwise than they stand there: foo(bar), a[0], what?, $name, a+b. */
function looksLiteral(pattern: string): boolean {
  return /[$^(){}[\]*+?]/.test(pattern.replaceAll(/\\./g, "").replaceAll(/\.[*+]\??/g, ""));
}

async function firstThatFinds(nothing: NothingFound, changes: readonly Change[]): Promise<string | undefined> {
  for (const { query, words } of changes) if (await finds(nothing, query)) return words;
  return undefined;
}

async function finds({ source, query, signal }: NothingFound, change: Partial<ContentQuery>): Promise<boolean> {
  const look = { ...query, ...change, mode: "files", maxScanHits: 1 } as const;
  return await findsAny(source.find(look, { signal, deadlineMs: LOOK_MS }));
}

/** Expects failures, because the changed pattern or glob can be invalid for this engine. */
export async function findsAny(look: Promise<{ readonly total: number }>): Promise<boolean> {
  try {
    return (await look).total > 0;
  } catch (thrown) {
    if (OpsError.is(thrown) && thrown.code === "INVALID_ARGUMENT") return false;
    throw thrown;
  }
}

/** A glob that fits no file finds nothing, whatever the pattern. */
async function globAdvice(nothing: NothingFound): Promise<string | undefined> {
  const { query, found } = nothing;
  const glob = query.glob?.[0];
  if (glob === undefined || found.searchRoot.kind !== "folder") return undefined;
  const fits = (changes: object) => fitsAny(nothing, { glob, ...changes });
  if (await fits({})) return undefined;
  const all = { respectIgnore: false, includeHidden: true };
  if (await fits(all)) return `file_glob ${JSON.stringify(glob)} fits only files that are left out.`;
  const none = `file_glob ${JSON.stringify(glob)} fits no file`;
  for (const other of otherGlobs(glob))
    if (await fits({ glob: other })) return `${none}; file_glob=${JSON.stringify(other)} does.`;
  return `${none}.`;
}

/** What a glob that fits nothing may have been meant to be: a list, a folder, a name, or one that begins elsewhere. */
function otherGlobs(glob: string): string[] {
  const list = listOf(glob);
  const parts = glob.split("/").filter((part) => part !== "" && part !== ".");
  const literal = parts.slice(0, -1).findIndex((part) => /[*?[\]{}!]/.test(part));
  const folders = literal === -1 ? parts.length - 1 : literal;
  const tails = Array.from({ length: Math.min(folders, MAX_FOLDERS) }, (_, index) => parts.slice(index + 1).join("/"));
  const path = parts.join("/");
  return [
    ...(list === undefined ? [] : [list]),
    ...(/[*?[\]{}]/.test(path) ? [path.replaceAll(/[[\]{}]/g, String.raw`\$&`)] : [`**/${path}/**`]),
    ...(parts.length > 1 ? [`**/${path}`] : [`*.${path.replace(/^\./, "")}`, `${path}*`]),
    ...tails,
  ].filter((other) => other !== glob);
}

/** "*.ts, *.tsx" as one glob. */
export function listOf(glob: string): string | undefined {
  const parts = glob.split(/[,;|\s]+/).filter((part) => part !== "");
  return parts.length < 2 || /[{}]/.test(glob) ? undefined : `{${parts.join(",")}}`;
}

interface Fitting {
  readonly glob: string;
  readonly respectIgnore?: boolean;
  readonly includeHidden?: boolean;
}

async function fitsAny({ search, query, signal }: NothingFound, { glob, ...changes }: Fitting): Promise<boolean> {
  const { respectIgnore, includeHidden, root, cwd } = { ...query, ...changes };
  const names = {
    root,
    cwd,
    pattern: "*",
    regex: false,
    glob: [glob],
    type: "file",
    maxKept: 1,
    maxKeptBytes: 4096,
  } as const;
  const { total, endedBy } = await search.names(
    { ...names, respectIgnore, includeHidden },
    { signal, deadlineMs: LOOK_MS },
  );
  return total > 0 || endedBy !== null;
}
