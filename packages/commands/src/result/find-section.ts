/** Lines from `from` to `to`, counted from 1. */
export interface Section {
  readonly from: number;
  readonly to: number;
}

/** Matches the first line about a failing test. */
const TEST =
  /^(?:_+ .+ _+$|\s*--- FAIL: |\s*not ok \d|\s*● |---- .+ ----$|(?:ERROR|FAIL): |\s*✖ | FAIL |\s*\d+\) |FAILED \S+::)/;
const DIFF = /^diff --(?:git|cc) /;
const MOST_LINES = 200;

/** Finds the lines about a failing test: from the first report of the test to the next report. */
export function findTest(text: string, id: string): Section | undefined {
  const lines = text.split("\n");
  const name = id.split("::").at(-1) ?? id;
  const isNamed = (line: string) => line.includes(id) || line.includes(name);
  const start = lines.findIndex((line) => TEST.test(line) && isNamed(line));
  const first = start === -1 ? lines.findIndex(isNamed) : start;
  return first === -1 ? undefined : section(lines, first, TEST);
}

/** Finds the lines about a file: its part of a diff, else from the first line that names it to the last such line. */
export function findFile(text: string, path: string): Section | undefined {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => DIFF.test(line) && line.includes(path));
  if (start !== -1) return section(lines, start, DIFF, lines.length);
  const first = lines.findIndex((line) => line.includes(path));
  if (first === -1) return undefined;
  return { from: first + 1, to: lines.findLastIndex((line) => line.includes(path)) + 1 };
}

function section(lines: readonly string[], first: number, next: RegExp, most = MOST_LINES): Section {
  const end = lines.findIndex((line, at) => at > first && (next.test(line) || at - first >= most));
  return { from: first + 1, to: end === -1 ? lines.length : end };
}
