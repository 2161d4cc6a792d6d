import { templateOf } from "@llmc/te-system";
import { asIs, made, type Piece } from "../shape/piece.js";
import { groupBy } from "../shape/group-by.js";

/** Leaves out routine lines and tells how many there were of each kind; all others stay. */
export function counted(lines: readonly string[], routine: RegExp | undefined): Piece[] {
  const filled = lines.filter((line) => line.trim() !== "");
  if (routine === undefined) return filled.map(asIs);
  const kinds = groupBy(
    filled.filter((line) => routine.test(line)),
    kindOf,
  );
  const done = new Set<string>();
  return filled.flatMap((line) => {
    if (!routine.test(line)) return [asIs(line)];
    const kind = kindOf(line);
    if (done.has(kind)) return [];
    done.add(kind);
    const count = kinds.get(kind)?.length ?? 1;
    return count === 1 && line.length <= LONG
      ? [asIs(line)]
      : [made(`${count}× ${line.replace(PROGRESS, "").trim().slice(0, LONG)}${line.length > LONG ? "…" : ""}`, 1)];
  });
}

const LONG = 200;
/** `[ 12%] `, `[3/20] `. */
const PROGRESS = /^\s*\[ *\d+(?:%|\/\d+)\] /;
const VERBS = 2;

/** The first words of a step: `Compiling`, `Built target`. */
function kindOf(line: string): string {
  const words = templateOf(line)
    .replace(/^\s*(?:\[[^\]]*\]|\*[.%]?)?\s*/, "")
    .split(/\s+/);
  const verb = words.slice(0, VERBS).filter((word, at) => at === 0 || /^[a-z]+$/.test(word));
  return verb.join(" ");
}
