import { reindentBy } from "../block/indent.js";
import type { FileText } from "./file-text.js";
import type { HunkLine } from "./plan.js";
import { withoutBlanks } from "./views.js";

/**
 * A hunk whose old lines stand at `start` but for their indentation, with its new lines indented as the file would have
 * them. Undefined where no rule makes the one indentation of the other, or where indentation is what the hunk changes.
 */
export function reindented(file: FileText, lines: readonly HunkLine[], start: number): readonly HunkLine[] | undefined {
  if (changesIndentationOnly(lines)) return undefined;
  const pairs = pairsOf(file, lines, start);
  if (!isRule(pairs)) return undefined;
  const reindent = reindentBy(pairs);
  return lines.map((line) => {
    const lead = leadOf(line.text);
    const isMade = line.op === "+" && lead.length < line.text.length;
    return isMade ? { ...line, text: `${reindent(lead)}${line.text.slice(lead.length)}` } : line;
  });
}

type Pair = readonly [own: string, there: string];

function pairsOf(file: FileText, lines: readonly HunkLine[], start: number): readonly Pair[] {
  const old = lines.filter((line) => line.op !== "+");
  return old.flatMap(({ text }, at) =>
    withoutBlanks(text) === "" ? [] : [[leadOf(text), leadOf(file.textOf(start + at))] as const],
  );
}

/** Whether each indentation always stands for the same, and a deeper one never for a shallower. */
function isRule(pairs: readonly Pair[]): boolean {
  const known = new Map(pairs);
  if (pairs.some(([own, there]) => known.get(own) !== there)) return false;
  const sorted = [...known].sort(([one], [other]) => widthOf(one) - widthOf(other));
  return sorted.every(([, there], nth) => nth === 0 || widthOf(there) >= widthOf(sorted[nth - 1]?.[1] ?? ""));
}

const TAB = 4;

function widthOf(blanks: string): number {
  let width = 0;
  for (const blank of blanks) width += blank === "\t" ? TAB : 1;
  return width;
}

/** Whether a hunk changes nothing else: what the blanks are to be then, no rule tells. */
export function changesIndentationOnly(lines: readonly HunkLine[]): boolean {
  const inks = (op: HunkLine["op"]): string =>
    lines.flatMap((line) => (line.op === op ? [withoutBlanks(line.text)] : [])).join("\n");
  return inks("-") === inks("+");
}

function leadOf(text: string): string {
  return text.slice(0, text.length - text.trimStart().length);
}
