import { templateOf } from "@llmc/te-system";
import { diagnosticsGrammar } from "./diagnostics.js";
import { isForeignFrame, isFrame } from "../shape/frames.js";
import { joinBlocks, passedLine, type Block } from "../shape/join-blocks.js";
import { asIs, type Ending, type Piece } from "../shape/piece.js";

/** Output of a test runner, as data. */
export interface Runner {
  /** Matches the line of a passed test. */
  readonly passes: RegExp;
  /** Lines beside the failures that tell nothing. */
  readonly outside: RegExp;
  /** Lines that are left out of a successful run. */
  readonly onSuccess?: RegExp;
  /** Beginning of a line about a failure that repeats the name of the test, and its replacement. */
  readonly shorter?: readonly [RegExp, string];
  /** Lines about a failure that tell nothing. */
  readonly inside?: RegExp;
  /** First line about a failing test. */
  readonly start: RegExp;
  /** A line that ends the lines about a failing test. */
  readonly end?: RegExp;
  /** The runner's own number of passed tests. */
  readonly total?: RegExp;
  /** Begins the report of failures, where they stand in the list of tests as well. */
  readonly report?: RegExp;
  /** A title, told if a failure follows before the next one. */
  readonly title?: RegExp;
}

/** Source lines around a failure: all but the marked one. */
const SOURCE = /^\s*\d+\s?[|│]|^\s*[|│]\s*$|^\s*[|│][\s^~]*\^[\s^~]*$/;
/** Underlines without words. */
const UNDERLINE = /^[\s|│·╰─┬^~]*[\^~][\s^~]*$/;
const PYTHON_FRAME = /^\s+File "(?<path>.*)", line \d+/;
/** Frames of a failure: the nearest to it, and those of the test. */
const FRAMES = 9;
const LAST_FRAMES = 4;

/** Output of a test runner: as pieces, and its failing tests in order. */
export interface TestReport {
  readonly pieces: readonly Piece[];
  readonly failures: readonly Block[];
}

const NOTHING = [/(?!)/, ""] as const;

/** Reads a report line by line. */
export type ReadTests = (lines: readonly string[], ending: Ending) => TestReport;

export function readTests(runner: Runner, lines: readonly string[], { failed }: Ending): TestReport {
  const failures: Block[] = [];
  const dumps = new Set<string>();
  const shorter = runner.shorter ?? NOTHING;
  const report = runner.report === undefined ? -1 : lines.findIndex((line) => runner.report?.test(line));
  const pieces: Piece[] = [];
  let blocks: Block[] = [];
  let block: { head: Piece[]; body: string[] } | undefined;
  let beside: string[] = [];
  let title: string | undefined;
  let passed = 0;
  const flush = () => {
    pieces.push(...(besides(beside, NOT_ASKED) ?? beside.filter((line) => line.trim() !== "").map(asIs)));
    beside = [];
    const told = blocks.map((each) => withoutRepeats(tidied(each), dumps));
    failures.push(...told);
    pieces.push(...joinBlocks(told));
    blocks = [];
    block = undefined;
  };
  for (const [at, line] of lines.entries()) {
    const isBefore = at < report;
    if (!failed && runner.onSuccess?.test(line) === true) continue;
    if (runner.passes.test(line)) {
      passed += 1;
      block = undefined;
    } else if (runner.start.test(line)) {
      // A failure in the list of tests is told again in the report.
      if (blocks.length === 0) flush();
      block = { head: title === undefined ? [asIs(line)] : [asIs(title), asIs(line)], body: [] };
      title = undefined;
      if (!isBefore) blocks.push(block);
    } else if (runner.title?.test(line) === true) {
      block = undefined;
      title = line;
    } else if (runner.end?.test(line) === true) {
      flush();
      const isAgain = isBefore && lines.indexOf(line, report) !== -1;
      if (!isAgain && !runner.outside.test(line)) beside.push(line);
    } else if (block !== undefined) {
      if (runner.inside?.test(line) !== true) block.body.push(line.replace(...shorter));
    } else {
      if (blocks.length > 0) flush();
      if (line.trim() === "" || !runner.outside.test(line)) beside.push(line);
    }
  }
  flush();
  const isTotal = runner.total !== undefined && lines.some((line) => runner.total?.test(line));
  return { pieces: [...pieces, ...(isTotal ? [] : passedLine(passed))], failures };
}

/** Characters from which on a line is a dump of a value, which a second failure need not tell again. */
const DUMP = 150;

function withoutRepeats({ head, body }: Block, dumps: Set<string>): Block {
  const kept = body.filter((line) => {
    if (line.length < DUMP) return true;
    const key = templateOf(line);
    const isNew = !dumps.has(key);
    dumps.add(key);
    return isNew;
  });
  return { head, body: kept.map(withoutMiddle) };
}

/** Characters of a dump that are told: its beginning and its end. */
const [FIRST, LAST] = [200, 50];

function withoutMiddle(line: string): string {
  const cut = line.length - FIRST - LAST;
  return cut < DUMP ? line : `${line.slice(0, FIRST)} …[+${cut}]… ${line.slice(-LAST)}`;
}

/** A compiler's diagnostics and warnings of the language stand between the reports of tests. */
const besides = diagnosticsGrammar();
const NOT_ASKED = { failed: false };

function tidied({ head, body }: Block): Block {
  const own = body.filter((line, at) => isFrame(line) && !isForeignFrame(line) && body.indexOf(line) === at);
  const frames = new Set(
    own.length <= FRAMES ? own : [...own.slice(0, FRAMES - LAST_FRAMES), ...own.slice(-LAST_FRAMES)],
  );
  const lastFrame = body.findLastIndex((line) => PYTHON_FRAME.test(line) && !isForeignFrame(line));
  const kept = body.filter((line, at) => {
    if (isForeignFrame(line) || SOURCE.test(line) || UNDERLINE.test(line) || line.trim() === "") return false;
    const above = body[at - 1] ?? "";
    if (PYTHON_FRAME.test(above)) return at - 1 === lastFrame;
    return !isFrame(line) || frames.delete(line);
  });
  return { head, body: kept };
}
