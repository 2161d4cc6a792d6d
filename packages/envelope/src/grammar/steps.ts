import { templateOf } from "@llmc/te-system";
import { made, type Grammar } from "../shape/piece.js";
import { groupBy } from "../shape/group-by.js";
import { counted } from "./counted.js";

/** Lines of the same form up to which each is told. */
const FEW = 3;
const QUOTED = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|‘[^’\n]*’/g;
const MOST_WORDS = 60;

/** Steps of an installer or a build: routine steps counted, lines of the same form told once with their count. */
export function stepsGrammar(routine?: RegExp): Grammar {
  return (lines) => {
    const told = counted(lines, routine);
    const groups = groupBy(told, ({ text }) => formOf(text));
    const done = new Set<string>();
    return told.flatMap((piece) => {
      const form = formOf(piece.text);
      const group = groups.get(form) ?? [];
      if (group.length <= FEW) return [piece];
      if (done.has(form)) return [];
      done.add(form);
      const words = [...new Set(group.map(({ text }) => [...text.matchAll(QUOTED)].map(([word]) => word).join(" ")))];
      const list =
        words.length > 1 && words.length <= MOST_WORDS ? [made(`  ${words.join("; ")}`, group.length - 1)] : [];
      return [made(`${group.length}× ${piece.text.trim()}`, 1), ...list];
    });
  };
}

function formOf(line: string): string {
  return templateOf(line.replaceAll(QUOTED, "''")).trim();
}
