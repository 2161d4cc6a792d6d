import type { FileText } from "./file-text.js";
import type { Placement } from "./placement.js";
import type { HunkLine, LineEnd } from "./plan.js";
import { newLines, oldLines } from "./readings.js";

/** The file with all placements made. They are in its order and change no line twice. */
export function splice(file: FileText, placements: readonly Placement[]): string {
  const out = createOutput(file);
  for (const placement of placements) {
    const end = endsFor(file, placement);
    let index = placement.start;
    for (const line of placement.lines) {
      if (line.op === "+") out.add(index, line.text, end(line, index));
      else if (line.op === "-") out.skip(index);
      if (line.op !== "+") index += 1;
    }
  }
  return out.finish();
}

interface Output {
  /** Puts a line before line `index` of the file. */
  add(index: number, text: string, end: LineEnd): void;
  skip(index: number): void;
  finish(): string;
}

function createOutput(file: FileText): Output {
  const parts: string[] = [];
  let done = 0;
  let open: LineEnd = "";
  // Only the last line may lack its end: what follows another one parts them.
  const push = (part: string, end: LineEnd): void => {
    if (part === "" && end === "") return;
    parts.push(open, part, end);
    open = end === "" && !part.endsWith("\n") ? mainEnd(file) : "";
  };
  const copyUpTo = (index: number): void => {
    const until = file.startOf(index);
    if (until > done) push(file.units.slice(done, until), "");
    done = Math.max(done, until);
  };
  return {
    add(index, text, end) {
      copyUpTo(index);
      push(text, end);
    },
    skip(index) {
      copyUpTo(index);
      done = file.startOf(index + 1);
    },
    finish() {
      copyUpTo(file.count);
      return parts.join("");
    },
  };
}

/** What ends each added line: as the diff says if it fits to the byte, else as the lines around it. */
function endsFor(file: FileText, { lines, start, view }: Placement): (line: HunkLine, index: number) => LineEnd {
  if (view === "exact") return (line) => line.end;
  const [old, fresh] = [oldLines(lines), newLines(lines)];
  const last = fresh.at(-1);
  const atEnd = start + old.length === file.count;
  const open = atEnd && endsOpen(file, old.at(-1), last);
  return (line, index) => (line === last && open ? "" : endNear(file, index));
}

/** Whether the file will end without a newline: if the diff says nothing about it, as it did. */
function endsOpen(file: FileText, old: HunkLine | undefined, fresh: HunkLine | undefined): boolean {
  const [before, after] = [old?.end === "", fresh?.end === ""];
  if (before !== after) return after;
  return file.count > 0 && file.endOf(file.count - 1) === "";
}

function endNear(file: FileText, index: number): LineEnd {
  for (const near of [index - 1, index, index - 2]) {
    const end = near >= 0 && near < file.count ? file.endOf(near) : "";
    if (end !== "") return end;
  }
  return mainEnd(file);
}

function mainEnd(file: FileText): LineEnd {
  return file.count > 0 && file.endOf(0) === "\r\n" ? "\r\n" : "\n";
}
