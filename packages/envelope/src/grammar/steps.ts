import { templateOf } from "@llmc/te-system";
import { made, type Grammar, type Piece } from "../shape/piece.js";
import { groupBy } from "../shape/group-by.js";
import { oddNumbers } from "../shape/odd-numbers.js";
import { counted } from "./counted.js";

/** Lines of the same form up to which each is told. */
const FEW = 3;
const QUOTED = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|‘[^’\n]*’/g;
const QUOTED_ONE = /['"`‘]/;
const MOST_WORDS = 60;

/** Lines of the same beginning from which on their common words are told once. */
const MANY = 6;
const LONGEST_LIST = 4000;

/** Steps of an installer or a build: routine steps counted, lines of the same form told once with their count. */
export function stepsGrammar(routine?: RegExp): Grammar {
  return (lines) => {
    const told = counted(lines, routine);
    const folded = inPlace(told, groupBy(told, ({ text }) => formOf(text)).values(), (group) =>
      group.length <= FEW ? undefined : ofForm(group),
    );
    return byBeginning(folded);
  };
}

/** Puts the text for a group in place of its first piece; a group without a text stays. */
function inPlace(
  pieces: readonly Piece[],
  groups: Iterable<readonly Piece[]>,
  textOf: (group: readonly Piece[]) => readonly Piece[] | undefined,
): readonly Piece[] {
  const told = new Map<Piece, readonly Piece[]>();
  for (const group of groups) {
    const text = textOf(group);
    if (text !== undefined) group.forEach((piece, at) => told.set(piece, at === 0 ? text : []));
  }
  return pieces.flatMap((piece) => told.get(piece) ?? [piece]);
}

function ofForm(group: readonly Piece[]): readonly Piece[] {
  const words = [...new Set(group.map(({ text }) => [...text.matchAll(QUOTED)].map(([word]) => word).join(" ")))];
  const list = words.length > 1 && words.length <= MOST_WORDS ? [made(`  ${words.join("; ")}`, group.length - 1)] : [];
  const odd = oddNumbers(group.map(({ text }) => text));
  return [
    made(`${group.length}× ${(group[0]?.text ?? "").trim()}`, 1),
    ...list,
    ...group.filter(({ text }) => odd.has(text)),
  ];
}

/** Tells lines that begin with the same two words by their common words, then by those of each line. */
function byBeginning(pieces: readonly Piece[]): readonly Piece[] {
  const groups = groupBy(pieces, ({ text }) => text.trim().split(/\s+/, 2).join(" "));
  return inPlace(pieces, groups.values(), ofWords);
}

function ofWords(group: readonly Piece[]): readonly Piece[] | undefined {
  if (group.length < MANY || group.some(({ text }) => QUOTED_ONE.test(text))) return undefined;
  const words = group.map(({ text }) => text.trim().split(/\s+/));
  const common = new Set((words[0] ?? []).filter((word) => words.every((line) => line.includes(word))));
  const own = words.map((line) => line.filter((word) => !common.has(word)).join(" "));
  if (common.size < 2 || own.some((each) => each === "") || own.join("; ").length > LONGEST_LIST) return undefined;
  return [made(`${group.length}× ${[...common].join(" ")}`, 0), made(`  ${own.join("; ")}`, group.length)];
}

function formOf(line: string): string {
  return templateOf(line.replaceAll(QUOTED, "''")).trim();
}
