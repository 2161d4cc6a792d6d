import { PatchFailedError } from "@llmc/errors";
import { textOf } from "@llmc/names";
import type { Hunk, HunkLine } from "./plan.js";

/** The hunks of a new file, with a + on each line: where all of them lack it, or blank lines do, it is put there. */
export function asAdded(hunks: readonly Hunk[], name: string): readonly Hunk[] {
  return hunks.map((hunk) => ({ ...hunk, lines: addedLines(hunk, name) }));
}

function addedLines({ lines }: Hunk, name: string): readonly HunkLine[] {
  if (lines.every((line) => line.op === " ")) return plainLines(lines);
  return lines.map((line) => {
    if (line.op === "+") return line;
    if (line.op === " " && line.text === "") return { ...line, op: "+" };
    throw new PatchFailedError(
      `${name} is a new file, but the diff ${line.op === "-" ? "removes" : "keeps"} a line in it: ${JSON.stringify(textOf(line.text.slice(0, 60)))}`,
      { hint: "Start each line of a new file with +, or name the file after --- as well if it exists." },
    );
  });
}

/** Without a single +: the lines are as they stand, unless each begins with the space of a context line. */
function plainLines(lines: readonly HunkLine[]): readonly HunkLine[] {
  const spaced = lines.every((line) => !line.bare || line.text === "");
  return lines.map((line) => ({ ...line, op: "+", text: spaced || line.bare ? line.text : ` ${line.text}` }));
}
