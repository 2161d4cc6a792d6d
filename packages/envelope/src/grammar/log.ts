import { templateOf } from "@llmc/te-system";
import { asIs, made, type Grammar, type Piece } from "../shape/piece.js";
import { groupBy } from "../shape/group-by.js";
import { oddNumbers } from "../shape/odd-numbers.js";

/** A time at the beginning of a line: syslog, ISO, the kernel's seconds, a bracket with a date. */
const STAMP =
  /^(?:\[?\w{3} +\d{1,2} \d\d:\d\d:\d\d(?: \d{4})?\]?|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S*|\[ *\d+\.\d+\]|\d\d:\d\d:\d\d[.,]?\d*)\s+/;
/** Machine, program and pid of a syslog line. */
const SOURCE = /^[\w.-]+ ([\w./@-]+?)(?:\[\d+\])?: /;
const BAD =
  /\b(?:error|fail(?:ed|ure|s)?|fatal|panic|critical|crit|alert|emerg|traceback|denied|refused|corrupt|oom|killed|segfault|warn(?:ing)?|expire[sd]?|unable|cannot|can't|invalid|missing|timed? ?out|no space|full|lost|abort(?:ed)?)\b|\w(?:Error|Exception)\b/i;
const FEW = 20;
const RARE = 2;
const BAD_WHOLE = 3;
const TAIL = 2;
/** Lines with a time, as a share of all, from which on the lines are a log. */
const SHARE = 0.6;

export function isLog(lines: readonly string[]): boolean {
  const some = lines.filter((line) => line.trim() !== "").slice(0, 200);
  return some.length >= 10 && some.filter((line) => STAMP.test(line)).length >= SHARE * some.length;
}

/** Characters above which lines that tell of nothing bad are counted. */
const ROOM = 9000;
const FIRST = 12;

/** Lines that differ in numbers only are told once with their count; rare and last lines stay whole. */
export const log: Grammar = (lines) => {
  const all = lines
    .filter((text) => text.trim() !== "")
    .map((text, at) => {
      const message = bare(text);
      return { text, at, message, key: templateOf(message), source: sourceOf(message) };
    });
  if (all.length <= FEW) return undefined;
  const groups = groupBy(all, ({ key }) => key);
  const folded = [...groups.values()].filter(({ length }) => length > RARE);
  const odd = new Set(folded.flatMap((group) => [...oddNumbers(group.map(({ message }) => message))]));
  const sources = new Set<string>();
  const told: Told[] = [];
  for (const { text, at, message, key, source } of all) {
    const group = groups.get(key) ?? [];
    const isBad = BAD.test(text);
    const isNew = !sources.has(source);
    sources.add(source);
    if (group.length <= (isBad ? BAD_WHOLE : RARE) || at >= all.length - TAIL)
      told.push({ piece: asIs(text), isBad: isBad || isNew });
    else if (group[0]?.at === at) told.push({ piece: made(withCount(text, group.length), 1), isBad: true });
    else if (odd.has(message)) told.push({ piece: asIs(text), isBad: true });
    else if (isBad && group.at(-1)?.at === at) told.push({ piece: asIs(text), isBad });
  }
  return [made(`${all.length} lines; N×: so many alike but for numbers`), ...fitting(told)];
};

interface Told {
  readonly piece: Piece;
  readonly isBad: boolean;
}

/** Above the room, lines of no alarm behind the first ones are counted. */
function fitting(told: readonly Told[]): Piece[] {
  if (told.reduce((sum, { piece }) => sum + piece.text.length, 0) <= ROOM) return told.map(({ piece }) => piece);
  const pieces: Piece[] = [];
  let others = 0;
  const close = () => {
    if (others > 0) pieces.push(made(`… ${others} other lines`));
    others = 0;
  };
  for (const [at, { isBad, piece }] of told.entries()) {
    if (isBad || at < FIRST || at >= told.length - TAIL) {
      close();
      pieces.push(piece);
    } else others += 1;
  }
  close();
  return pieces;
}

/** The count stands before the message, behind time and program. */
function withCount(line: string, count: number): string {
  const [stamp = ""] = STAMP.exec(line) ?? [];
  const [source = ""] = SOURCE.exec(line.slice(stamp.length)) ?? [];
  return `${stamp}${source}${count}× ${line.slice(stamp.length + source.length)}`;
}

function bare(line: string): string {
  const rest = line.slice(STAMP.exec(line)?.[0].length ?? 0);
  const [source = "", name = ""] = SOURCE.exec(rest) ?? [];
  return source === "" ? rest : `${name}: ${rest.slice(source.length)}`;
}

/** The program or part of the kernel that a line is of. */
function sourceOf(message: string): string {
  return /^\W*([\w/.-]+)/.exec(message)?.[1] ?? "";
}
