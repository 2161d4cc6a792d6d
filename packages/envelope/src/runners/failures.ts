import { isForeignFrame, isFrame } from "../shape/frames.js";
import type { Block } from "../shape/join-blocks.js";

export interface Failure {
  readonly id: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly assertion: string | null;
  /** Places of the project's own code, as the runner printed them. */
  readonly frames: string[];
  readonly output: string;
}

/** Marks around a name: `FAILED a`, `● a › b`, `--- FAIL: A (0.00s)`, `not ok 2 - a`, `---- a stdout ----`, `3) a`. */
const MARKS =
  /^\s*(?:FAILED|ERROR|FAIL:?|●|✖|×|---\s*FAIL:|not ok \d+(?:\s*-)?|-{4}|_{3,}|\d+\)|\d+\/\d+ Test +#\d+:)\s*|\s*(?:\([\d.]+m?s\)|stdout -{4}|-{4}|\.{3,}\*{3}.*|_{3,})$/g;
const PLACE = /(?<file>[\w./@+-]*[\w@+-]\.\w+)(?:["']?, line |:)(?<line>\d+)/;
const CAPTURED = /^-+ ?Captured|^(?:stdout|stderr):/;

/** A failing test as data. */
export function failureOf({ head, body }: Block): Failure {
  const lines = [...head.map(({ text }) => text), ...body];
  const id = (head.at(-1)?.text ?? "").replaceAll(MARKS, "").trim();
  const captured = body.findIndex((line) => CAPTURED.test(line));
  const told = captured === -1 ? body : body.slice(0, captured);
  const places = told.filter((line) => PLACE.test(line) && !isForeignFrame(line));
  // Runners name the frame nearest to the failure first; Python names it last.
  const isPython = told.some((line) => /^\s*File "|\.py:\d+/.test(line));
  const place = PLACE.exec(
    (isPython ? places.at(-1) : places[0]) ?? lines.find((line) => PLACE.test(line)) ?? "",
  )?.groups;
  const assertion = told.find((line) => /^E\s/.test(line)) ?? told.find(isMessage) ?? told[0];
  return {
    id,
    file: place?.["file"] ?? null,
    line: place === undefined ? null : Number(place["line"]),
    assertion: assertion?.replace(/^E\s+/, "").trim() ?? null,
    frames: told.filter((line) => isFrame(line) && !isForeignFrame(line)).map((line) => line.trim()),
    output: captured === -1 ? "" : body.slice(captured).join("\n"),
  };
}

function isMessage(line: string): boolean {
  return /assert|[Ee]rror\b|[Ee]xpected|panicked/.test(line) && !isFrame(line) && !/^\s*>|^\s{4,}\w+[.(]/.test(line);
}
