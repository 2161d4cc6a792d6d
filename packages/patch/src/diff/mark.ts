import type { FileText } from "./file-text.js";
import type { Hunk, HunkLine, Op } from "./plan.js";

export interface Marked {
  readonly hunks: readonly Hunk[];
  readonly keepsMark: boolean;
}

/** The hunks in the file's own units, and without the byte order mark where their first line has it. */
export function withMark(file: FileText, hunks: readonly Hunk[]): Marked {
  const own = file.unit.name === "utf-8" ? hunks : hunks.map((hunk) => inUnits(file, hunk));
  const mark = file.unit.encode("\ufeff");
  let keepsMark = true;
  const unmarked = own.map((hunk) => {
    if ((hunk.line ?? 1) > 1) return hunk;
    const [old, fresh] = [hasMark(hunk, "-", mark), hasMark(hunk, "+", mark)];
    if (!old && (!fresh || file.mark === "")) return hunk;
    if (old && !fresh) keepsMark = false;
    return { ...hunk, lines: withoutMark(hunk.lines, mark) };
  });
  return { hunks: unmarked, keepsMark };
}

/** Whether the first line of one side has the mark. */
function hasMark({ lines }: Hunk, op: Op, mark: string): boolean {
  const first = lines.find((line) => line.op === op || line.op === " ");
  return first?.text.startsWith(mark) ?? false;
}

function withoutMark(lines: readonly HunkLine[], mark: string): readonly HunkLine[] {
  const first = new Set([lines.find((line) => line.op !== "+"), lines.find((line) => line.op !== "-")]);
  return lines.map((line) =>
    first.has(line) && line.text.startsWith(mark) ? { ...line, text: line.text.slice(mark.length) } : line,
  );
}

function inUnits({ unit }: FileText, hunk: Hunk): Hunk {
  const convert = (bytes: string): string => unit.encode(Buffer.from(bytes, "latin1").toString("utf8"));
  const lines = hunk.lines.map((line) => ({ ...line, text: convert(line.text) }));
  return { ...hunk, lines, anchors: hunk.anchors.map(convert), section: hunk.section && convert(hunk.section) };
}
