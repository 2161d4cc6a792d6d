import { made, type Grammar, type Piece } from "../shape/piece.js";
import { groupBy } from "../shape/group-by.js";
import { counted } from "./counted.js";

interface Diagnostic {
  readonly path: string;
  readonly line: string;
  /** Severity, message and code, as printed. */
  readonly message: string;
  /** Labels, notes and help. */
  readonly notes: readonly string[];
  /** Lines of the output that it takes. */
  readonly lines: number;
}

/** path:line:col: message, path:line: message, path(line,col): message. */
const INLINE =
  /^\s*(?:[.sFEux]*(?=[/.]))?(?<path>(?:[A-Za-z]:)?[^\s:()'"`][^:()\n]*?)(?::(?<line>\d+)(?::\d+)?(?::|(?= [-–] ))|\((?<line2>\d+)(?:,\d+)?\):)\s*(?:- )?(?<message>\S.*)$/;
/** Holds of every line with a place, and is quick. */
const NUMBERED = /[:(]\d/;
/** ` --> path:line:col`, `╭─[path:line:col]`. */
const ARROW = /^\s*(?:-->|╭─\[|,-\[|┌─)\s*(?<path>[^\s\]]+?):(?<line>\d+)(?::\d+)?\]?\s*$/;
/** A path on a line of its own, then line:col, severity, message, rule. */
const HEADING = /^(?:\.{0,2}\/)?[\w@.~-][^:\s]*(?:\/[^:\s]+|\.\w+)$/;
const ENTRY = /^\s+(?<line>\d+):\d+\s+(?<message>(?:error|warning|info|✖|⚠|×)\s.*)$/;
/** A line of source, an underline, or an empty margin. */
const SOURCE = /^\s*(?:\d+\s*)?[|│·¦].*$|^\s*[╰└,`]?[─-]+(?:\s|$)|^\s*[~^]+\s*$|^\s*\.{3}\s*$|^\d+\s{1,4}\S.*$/;
/** Words behind an underline. */
const LABEL = /(?:\^|╰─+|─+|┬)\s+([\p{L}`'"‘].*)$/u;
const NOTE = /^\s*(?:=\s*)?(?:note|help|hint|suggestion)\s*(?:\(|:)\s*.*/i;
/** Facts about a message, indented below it: `symbol: class X`. */
const DETAIL = /^\s+(?:[a-z]+:\s+\S|No \S)/;
const CHATTER =
  /^\s*(?:In file included from|from )\S+:\d+|^\s*= note: `?#\[|default$|^\S+: In (?:member |static )*(?:function|constructor|destructor|instantiation|substitution)|: (?:At top level|At global scope):$|for further information visit|requested on the command line/;
/** Beginnings of messages; a line with a place and another beginning is not a diagnostic. */
const SEVERITY =
  /^\w*(?:Warning|Error): |^(?:fatal )?(?:error|warning|note|info|hint|notice|style|convention|refactor|remark)\b|^[A-Z]{1,4}\d{2,5}\b|\[[\w-]+\]$|^(?:undefined reference|multiple definition|syntax error|cannot|undefined:|expected|unexpected|missing|invalid|unused|undeclared)/i;
/** A note without a code of its own belongs to the message above. */
const NOTE_ONLY = /^note: (?!.*\[\w+\]$)/;

export function diagnosticsGrammar(routine?: RegExp): Grammar {
  return (lines) => {
    const { found, before, after } = parse(lines);
    if (found.length === 0 && routine === undefined) return undefined;
    return [...counted(before, routine), ...grouped(found), ...counted(after, routine)];
  };
}

interface Parsed {
  readonly found: readonly Diagnostic[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function parse(lines: readonly string[]): Parsed {
  const found: Diagnostic[] = [];
  const before: string[] = [];
  const after: string[] = [];
  let heading: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const rest = found.length === 0 ? before : after;
    const arrow = ARROW.exec(line)?.groups;
    const entry = heading === undefined ? undefined : ENTRY.exec(line)?.groups;
    const inline = NUMBERED.test(line) ? INLINE.exec(line)?.groups : undefined;
    if (arrow !== undefined) {
      const [message, taken] = messageBefore(rest);
      const end = endOfBlock(lines, at + 1);
      const notes = notesOf(lines.slice(at + 1, end));
      found.push({ path: arrow["path"] ?? "", line: arrow["line"] ?? "", message, notes, lines: end - at + taken });
      at = end - 1;
    } else if (entry !== undefined && heading !== undefined) {
      found.push({
        path: heading,
        line: entry["line"] ?? "",
        message: spaced(entry["message"] ?? ""),
        notes: [],
        lines: 1,
      });
    } else if (HEADING.test(line) && ENTRY.test(lines[at + 1] ?? "")) {
      heading = line;
    } else if (inline !== undefined) {
      const wrapped = continued(lines, at);
      const message = spaced([inline["message"] ?? "", ...lines.slice(at + 1, wrapped)].join(" "));
      const last = found.at(-1);
      if (!SEVERITY.test(message)) {
        rest.push(line);
        continue;
      }
      const end = endOfFrame(lines, wrapped);
      const notes = notesOf(lines.slice(wrapped, end));
      const path = inline["path"] ?? "";
      if (NOTE_ONLY.test(message) && last !== undefined)
        found[found.length - 1] = { ...last, lines: last.lines + end - at };
      else found.push({ path, line: inline["line"] ?? inline["line2"] ?? "", message, notes, lines: end - at });
      at = end - 1;
    } else {
      if (line.trim() === "") heading = undefined;
      if (!CHATTER.test(line)) rest.push(line);
    }
  }
  return { found, before, after };
}

function spaced(message: string): string {
  return message.trim().replaceAll(/\s{2,}/g, "  ");
}

/** Takes the message that stands above its place; returns it with the number of its lines. */
function messageBefore(rest: string[]): [string, number] {
  const taken: string[] = [];
  while (taken.length < 4 && (rest.at(-1) ?? "").trim() !== "") {
    const line = rest.pop() ?? "";
    taken.unshift(line.trim());
    if (/^\s*(?:error|warning|note|help|info)\b|^\s*[⚠×✖x!]\s|^\S+\s/.test(line)) break;
  }
  return [taken.join(" "), taken.length];
}

function endOfBlock(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at] ?? "").trim() !== "" && !ARROW.test(lines[at] ?? "")) at += 1;
  return at;
}

/** Some linters wrap a message at the terminal's width; its code stands at the end. */
function continued(lines: readonly string[], at: number): number {
  if (/[\])]\s*$/.test(lines[at] ?? "")) return at + 1;
  for (let next = at + 1; next < at + 4; next += 1) {
    const line = lines[next] ?? "";
    if (line === "" || line.startsWith("  ") || INLINE.test(line)) break;
    if (/\[[\w-]+\]$/.test(line)) return next + 1;
  }
  return at + 1;
}

/** Lines about the place: source, underlines, and details below. Source alone is known by the underline below it. */
function endOfFrame(lines: readonly string[], from: number): number {
  let at = from;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const isAboveMark = /^\s*[~^]+\s*$/.test(lines[at + 1] ?? "") && /^\s/.test(line);
    if (!isAboveMark && ((!SOURCE.test(line) && !DETAIL.test(line)) || INLINE.test(line))) break;
  }
  return at;
}

function notesOf(block: readonly string[]): string[] {
  const notes = block.flatMap((line) => {
    if (CHATTER.test(line)) return [];
    if (NOTE.test(line) || DETAIL.test(line))
      return [
        line
          .trim()
          .replace(/^=\s*/, "")
          .replaceAll(/\s{2,}/g, " "),
      ];
    if (!/^\s*[|│·~^╰─]/.test(line)) return [];
    const label = LABEL.exec(line)?.[1];
    return label === undefined ? [] : [label.trim()];
  });
  return [...new Set(notes)].slice(0, 4);
}

const QUOTED = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|‘[^’\n]*’/g;
/** Number of messages from which on their common form is told once. */
const MANY = 4;
/** Characters that all places may take together before they are counted instead. */
const ROOM = 4500;
const MOST_KINDS = 40;
const SUMMED = 10;

interface Group {
  readonly message: string;
  readonly all: readonly Diagnostic[];
  /** Notes of every one. */
  readonly common: readonly string[];
  /** The words that differ, where the message is a common form. */
  readonly words?: Piece;
}

function grouped(found: readonly Diagnostic[]): Piece[] {
  const messages = groupBy(found, ({ message }) => message);
  const forms = new Map([...messages.keys()].map((message) => [message, formOf(message)]));
  const groups = [...groupBy(found, ({ message }) => forms.get(message) ?? message)].flatMap(([form, all]): Group[] => {
    const alike = groupBy(all, ({ message }) => message);
    if (alike.size < MANY)
      return [...alike].map(([message, same]) => ({ message, all: same, common: commonNotes(same) }));
    return [{ message: form, all, common: commonNotes(all), words: variants(alike) }];
  });
  const isFormFirst = groups[0] !== undefined && groups[0].message !== found[0]?.message;
  const head = [
    ...(found.length < SUMMED ? [] : [summary(messages)]),
    ...(isFormFirst ? found.slice(0, 1).map(first) : []),
  ];
  for (const each of [Infinity, 20, 8, 3, 1]) {
    // A place takes a digit and a comma at least.
    if (3 * groups.reduce((sum, { all }) => sum + Math.min(all.length, each), 0) > ROOM) continue;
    const pieces = groups.flatMap((group) => told(group, each));
    if (sizeOf(pieces) <= ROOM) return [...head, ...pieces];
  }
  const [earliest] = groups;
  const frequent = groups.toSorted((one, other) => other.all.length - one.all.length);
  const shown = [...new Set([...(earliest === undefined ? [] : [earliest]), ...frequent])].slice(0, MOST_KINDS);
  const more = groups.length - shown.length;
  return [...head, ...shown.flatMap((group) => told(group, 1)), ...(more > 0 ? [made(`… ${more} more kinds`)] : [])];
}

/** The first message as it is, where its group is told by the common form. */
function first({ path, line, message }: Diagnostic): Piece {
  return made(`${path}:${line}: ${message}`);
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/** At the beginning, or in brackets at the end: `[Error/no-unused-vars]`. */
const SEVERITY_WORD = /\b(error|warning)\b/i;

/** Counts of severities and codes. */
function summary(messages: Messages): Piece {
  const severities = counts(
    messages,
    (message) => SEVERITY_WORD.exec(`${message.slice(0, 40)} ${message.slice(-40)}`)?.[1]?.toLowerCase() ?? "problem",
  );
  const codes = [...counts(messages, codeOf)].toSorted(([, one], [, other]) => other - one).slice(0, MOST_KINDS);
  const kinds = [...severities].map(([name, count]) => `${count} ${name}${count === 1 ? "" : "s"}`);
  return made(
    `${kinds.join(", ")}${codes.length > 0 ? `: ${codes.map(([code, count]) => `${count} ${code}`).join(", ")}` : ""}`,
  );
}

/** Diagnostics by their message. */
type Messages = ReadonlyMap<string, readonly Diagnostic[]>;

function counts(messages: Messages, kindOf: (message: string) => string | undefined): Map<string, number> {
  const found = new Map<string, number>();
  for (const [message, { length }] of messages) {
    const kind = kindOf(message);
    if (kind !== undefined) found.set(kind, (found.get(kind) ?? 0) + length);
  }
  return found;
}

function codeOf(message: string): string | undefined {
  return (
    /\[(-W[\w=+-]+|[A-Za-z][\w-]*)\]$/.exec(message)?.[1] ??
    /\b(?:[a-z-]+\((?<rule>[\w/-]+)\):|error\[(?<rust>E\d+)\]|\((?<lint>[a-z][\w-]+)\)$)/
      .exec(message)
      ?.slice(1)
      .find((each) => each !== undefined) ??
    /(?:^|\s)([A-Z]{1,5}\d{3,5})\b/.exec(message)?.[1] ??
    / {2}([@\w/-]+)$/.exec(message)?.[1]
  );
}

function formOf(message: string): string {
  return message.replaceAll(QUOTED, (quoted) => `${quoted[0]}…${quoted.at(-1)}`);
}

function commonNotes(all: readonly Diagnostic[]): string[] {
  return (all[0]?.notes ?? []).filter((note) => all.every(({ notes }) => notes.includes(note)));
}

function told({ message, all, common, words }: Group, max: number): Piece[] {
  const [first] = all;
  if (first === undefined) return [];
  if (all.length === 1) {
    const notes = first.notes.map((note) => made(`  ${note}`));
    return [made(`${first.path}:${first.line}: ${message}`, first.lines), ...notes];
  }
  const shown = all.slice(0, max);
  const more = all.length - shown.length;
  const files = new Set(all.slice(max).map(({ path }) => path)).size;
  return [
    made(`${all.length}× ${message}`),
    ...common.map((note) => made(`  ${note}`)),
    ...(words !== undefined && more > 0 ? [words] : []),
    ...[...groupBy(shown, ({ path }) => path)].flatMap(([path, some]) =>
      placesIn(path, some, words !== undefined, common),
    ),
    ...(more === 0 ? [] : [made(`  … ${more} more in ${files} ${files === 1 ? "file" : "files"}`)]),
  ];
}

/** `path: 3, 14`; a line for each place that has words of its own. */
function placesIn(path: string, some: readonly Diagnostic[], isForm: boolean, common: readonly string[]): Piece[] {
  const places = some.map(({ line, message, notes, lines }) => {
    const own = notes.filter((note) => !common.includes(note));
    const words = [...(isForm ? [quotedOf(message)] : []), ...(own.length === 0 ? [] : [`(${own.join("; ")})`])].join(
      " ",
    );
    return { line, words, lines };
  });
  if (places.every(({ words }) => words === ""))
    return [
      made(
        `  ${path}: ${places.map(({ line }) => line).join(", ")}`,
        places.reduce((sum, { lines }) => sum + lines, 0),
      ),
    ];
  if (places.length === 1) return places.map(({ line, words, lines }) => made(`  ${path}:${line}: ${words}`, lines));
  return [
    made(`  ${path}`),
    ...places.map(({ line, words, lines }) => made(`   ${line}${words === "" ? "" : ` ${words}`}`, lines)),
  ];
}

const MOST_VARIANTS = 24;

/** The words that differ, most frequent first. */
function variants(messages: Messages): Piece {
  const words = [...messages].toSorted(([, one], [, other]) => other.length - one.length);
  const shown = words
    .slice(0, MOST_VARIANTS)
    .map(([message, { length }]) => (length === 1 ? quotedOf(message) : `${quotedOf(message)} ×${length}`));
  return made(`  ${shown.join(", ")}${words.length > shown.length ? ", …" : ""}`);
}

function quotedOf(message: string): string {
  return [...message.matchAll(QUOTED)].map(([each]) => each).join(" ");
}
