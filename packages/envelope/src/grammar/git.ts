import { asIs, made, type Grammar, type Piece } from "../shape/piece.js";

/** Characters of changed lines up to which a diff is told whole. */
const ROOM = 13_000;
/** Characters of the line of a file whose hunks are left out. */
const FILE_LINE = 60;
const SHORT_HASH = 7;

/** `git status`: without the hints that say which command undoes what. */
export const gitStatus: Grammar = (lines) => {
  return lines
    .filter((line) => line.trim() !== "" && !/^\s+\(.*"git .*"?|^\s*\(use "git|^ {2}\(fix conflicts/.test(line))
    .map(asIs);
};

interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly date: string;
  readonly subject: string;
  readonly notes: readonly string[];
  readonly bodyLines: number;
  readonly rest: readonly string[];
  readonly patch: readonly string[];
  /** Number of lines of the output before the patch. */
  readonly patchFrom: number;
  readonly lines: number;
}

const COMMIT = /^commit ([0-9a-f]{7,64})(?: \((.+)\))?$/;

/** `git log` and `git show`: a line for each commit; changes as in a diff. */
export const gitLog: Grammar = (lines) => {
  const starts = lines.flatMap((line, at) => (COMMIT.test(line) ? [at] : []));
  if (starts.length === 0) return undefined;
  const commits = starts.map((start, at) => commitOf(lines.slice(start, starts[at + 1] ?? lines.length), start));
  const before = lines.slice(0, starts[0]).filter((line) => line.trim() !== "");
  const isOne = commits.length === 1;
  let room = ROOM;
  const pieces = commits.flatMap((commit): Piece[] => {
    const head = commitLine(commit, isOne);
    const changes = [...commit.rest.map(asIs), ...(diff(commit.patch, room, commit.patchFrom) ?? [])];
    const size = changes.reduce((sum, { text }) => sum + text.length + 1, 0);
    if (!isOne && size > room) return [head];
    room -= size;
    return [head, ...(isOne ? commit.notes.map(asIs) : []), ...changes];
  });
  return [...before.map(asIs), ...pieces];
};

function commitOf(all: readonly string[], from: number): Commit {
  const start = all.findIndex((line) => FILE.test(line));
  const lines = start === -1 ? all : all.slice(0, start);
  const patch = start === -1 ? [] : all.slice(start, all.at(-1) === "" ? -1 : undefined);
  const [, hash = "", refs = ""] = COMMIT.exec(lines[0] ?? "") ?? [];
  const field = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? "";
  const empty = lines.findIndex((line) => line.trim() === "");
  const message = lines.slice(empty + 1).filter((line) => /^ {4}/.test(line));
  const after = lines.slice(empty === -1 ? lines.length : empty).filter((line) => !/^ {4}/.test(line));
  const notes = message.slice(1).filter((line) => line.trim() !== "");
  const date = /(\w{3}) (\w{3}) (\d{1,2}) [\d:]+ (\d{4})/.exec(field("Date") || field("AuthorDate"));
  return {
    hash: hash.slice(0, SHORT_HASH),
    author: field("Author").replace(/ <.*>$/, ""),
    date: date === null ? field("Date") || "" : `${date[4]}-${month(date[2] ?? "")}-${date[3]?.padStart(2, "0")}`,
    subject: `${message[0]?.trim() ?? ""}${refs === "" ? "" : ` (${refs})`}`,
    notes,
    bodyLines: notes.length,
    rest: after.filter((line) => line.trim() !== ""),
    patch,
    patchFrom: from + Math.max(0, start),
    lines: lines.length,
  };
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function month(name: string): string {
  return String(MONTHS.indexOf(name) + 1).padStart(2, "0");
}

function commitLine({ hash, date, author, subject, bodyLines, lines, rest }: Commit, isOne: boolean): Piece {
  const body = bodyLines > 0 && !isOne ? ` [+${bodyLines} lines]` : "";
  return made(`${hash} ${date} ${author}: ${subject}${body}`, lines - rest.length - bodyLines);
}

const FILE = /^diff --(?:git a\/(?<a>.+) b\/(?<b>.+)|cc (?<cc>.+)|combined (?<combined>.+))$/;
const HEADER =
  /^(?:index [0-9a-f,.]+(?: \d+)?|--- .*|\+\+\+ .*|similarity index .*|rename from .*|new file mode 100644|old mode .*|mode [0-9,.]+)$/;
const KEPT_HEADER = /^(?:deleted file|new file mode (?!100644)|rename to|Binary files|GIT binary|new mode)/;

interface FileDiff {
  readonly path: string;
  readonly flag: string;
  readonly lines: readonly string[];
  readonly from: number;
  readonly all: number;
}

/** Hunks as they are, under the path; above the room the files that follow by their lines. */
function diff(lines: readonly string[], room = ROOM, offset = 0): Piece[] | undefined {
  const starts = lines.flatMap((line, at) => (FILE.test(line) ? [at] : []));
  if (starts.length === 0) return undefined;
  const before = lines.slice(0, starts[0]).filter((line) => line.trim() !== "");
  const files = starts.map((start, at) => fileOf(lines.slice(start, starts[at + 1] ?? lines.length), offset + start));
  const pieces: Piece[] = before.map(asIs);
  let left = Math.max(room / 4, room - files.length * FILE_LINE);
  const isMany = files.length > 1;
  for (const file of files) {
    const changed = file.lines;
    const size = changed.reduce((sum, line) => sum + line.length + 1, 0);
    const isLock = /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|\w+\.lock|go\.sum)$/.test(file.path);
    if (size <= left && !(isLock && size > 1500)) {
      pieces.push(made(`${file.path}${file.flag}`, file.all - changed.length), ...changed.map(asIs));
      left -= size;
      continue;
    }
    const plus = changed.filter((line) => line.startsWith("+")).length;
    const minus = changed.filter((line) => line.startsWith("-")).length;
    pieces.push(made(`${file.path}${file.flag} +${plus} -${minus}, lines ${file.from + 1}-${file.from + file.all}`));
    if (!isMany || pieces.length === 1 + before.length) {
      const some = firstLines(changed, left);
      pieces.push(...some.map(asIs));
      left -= some.join("\n").length;
    }
  }
  return isMany ? [...pieces, made(`${files.length} files`)] : pieces;
}

function fileOf(lines: readonly string[], from: number): FileDiff {
  const groups = FILE.exec(lines[0] ?? "")?.groups ?? {};
  const path = groups["b"] ?? groups["cc"] ?? groups["combined"] ?? "";
  const hunk = lines.findIndex((line) => line.startsWith("@@"));
  const header = lines.slice(1, hunk === -1 ? lines.length : hunk);
  const isNew = header.some((line) => line.startsWith("new file"));
  const renamed = groups["a"] !== undefined && groups["a"] !== path ? ` (was ${groups["a"]})` : "";
  const kept = header.filter((line) => KEPT_HEADER.test(line) && !line.startsWith("rename to"));
  const other = header.filter((line) => !HEADER.test(line) && !KEPT_HEADER.test(line) && line.trim() !== "");
  return {
    path,
    flag: `${isNew ? " (new)" : ""}${renamed}`,
    lines: [...kept, ...other, ...(hunk === -1 ? [] : lines.slice(hunk))],
    from,
    all: lines.length,
  };
}

function firstLines(lines: readonly string[], room: number): string[] {
  let size = 0;
  return lines.filter((line) => (size += line.length + 1) <= room);
}

export const gitDiff: Grammar = (lines) => diff(lines);

const BLAME =
  /^(?<hash>\^?[0-9a-f]{7,40})(?: (?<path>\S+))? +\((?<who>.+?) +(?<date>\d{4}-\d\d-\d\d) [\d:]+ [+-]\d{4} +(?<line>\d+)\)(?<text>.*)$/;

/** `git blame`: commit, day and author once for neighbouring lines of the same commit, then the lines. */
export const gitBlame: Grammar = (lines) => {
  const pieces: Piece[] = [];
  let last = "";
  let count = 0;
  for (const line of lines) {
    const found = BLAME.exec(line)?.groups;
    if (found === undefined) {
      pieces.push(asIs(line));
      continue;
    }
    count += 1;
    const { hash = "", who = "", date = "", line: number = "", text = "", path = "" } = found;
    const head = `${hash.slice(0, SHORT_HASH + 1).replace(/^(?!\^)(.{7}).*/, "$1")} ${date} ${who}${path === "" ? "" : ` ${path}`}`;
    if (head !== last) pieces.push(made(head));
    last = head;
    pieces.push(made(`${number}${text}`, 1));
  }
  return count === 0 ? undefined : pieces;
};
