import { isForeignPath } from "../shape/frames.js";
import type { TestReport } from "./tests.js";
import { groupBy } from "../shape/group-by.js";
import { joinBlocks, type Block } from "../shape/join-blocks.js";
import { asIs, made, type Piece } from "../shape/piece.js";

const HEAD = /^_+ (.+) _+$/;
const SECTION = /^=+ (.+?) =+$/;
const FRAME_RULE = /^(?:_ ){5,}_?$/;
/** `tests/a.py:12: NameError`, the place of a frame. */
const PLACE = /^(\S.*?\.pyx?):(\d+): ?(.*)$/;
const SHORT_PLACE = /^(?:\S.*?\.pyx?):\d+: in /;
const CAPTURED = /^-+ Captured .+ -+$/;
const RESULT = /^(FAILED|ERROR) (.+?)(?: - (.*))?$/;
const NOISE =
  /^(?:platform |rootdir: |configfile: |inifile: |testpaths: |collected \d+ item|plugins: |cachedir: |asyncio: |collecting |hypothesis profile|Using --|created: |bringing up nodes|\d+ workers \[|scheduling tests|\[gw\d+\] (?:linux|darwin|\[)|.*-- Docs: )|^[.FEsxXuR,]{1,}(?: +\[ *\d+%\])?$|^\S+\.py [.FEsxXR]+(?: +\[ *\d+%\])?$|^\[gw\d+\] \[ *\d+%\] PASSED |^\S+::.* (?:PASSED|SKIPPED|XFAIL|XPASS)\b.*$|^=+ test session starts =+$|^\s+\[ *\d+%\]$|^ +warnings\.warn\(|^=+ (?:FAILURES|ERRORS|short test summary info) =+$/;
/** Lines that are left out first where there is no room: origins of values, and source lines. */
const LESSER = [/^E +\+ +(?:where|and) /, /^>|^ {4}\S/];
/** Characters for all failures: their assertions are told without the values and source lines around them. */
const ROOM = 18_000;
/** A failure in the list of tests, which the summary names again. */
const AGAIN = /^\S+::.* (?:FAILED|ERROR) +\[ *\d+%\]$/;
/** Lines about a failure that tell nothing: empty ones, marks below a difference, and pytest's own advice. */
const INSIDE = /^E\s*(?:\?[\s^+-]*)?$|^E +Use -v to get more diff$/;
/** A local variable, told below the error if the caller asked for them (-l). */
const LOCAL = /^\w+ += /;
/** Lines of output that a test printed, as far as they are told. */
const CAPTURED_LINES = 30;
const LAST_CAPTURED = 15;

/** Reads the output of pytest: of a failure the assertion, the project's own frames and the output of the test. */
export function readPytest(lines: readonly string[]): TestReport {
  const failures: Block[] = [];
  const summary = lines.filter((line) => /^(?:FAILED|ERROR) /.test(line) && line.includes("::"));
  const results = byName(summary);
  const pieces: Piece[] = [];
  let blocks: Block[] = [];
  let body: string[] | undefined;
  const told = new Set<string>();
  const flush = () => {
    failures.push(...blocks);
    pieces.push(...joinBlocks(blocks, LESSER, ROOM));
    blocks = [];
    body = undefined;
  };
  const heads: { name: string; lines: string[] }[] = [];
  for (const line of lines) {
    const head = HEAD.exec(line);
    if (head !== null) {
      body = [];
      heads.push({ name: head[1] ?? "", lines: body });
      continue;
    }
    if (SECTION.test(line)) {
      if (heads.length > 0) {
        for (const { name, lines: all } of heads) blocks.push(blockOf(name, all, results, told));
        heads.length = 0;
        flush();
      }
      body = undefined;
    }
    if (body !== undefined) body.push(line);
    else if (!NOISE.test(line) && !told.has(line) && !(summary.length > 0 && AGAIN.test(line))) pieces.push(asIs(line));
  }
  for (const { name, lines: all } of heads) blocks.push(blockOf(name, all, results, told));
  flush();
  return { pieces, failures };
}

/** Lines of the summary by verdict and name of the test; the heading of a failure has the end of the name. */
type Results = ReadonlyMap<string, readonly string[]>;

function byName(summary: readonly string[]): Results {
  const named = summary.flatMap((line) => {
    const [, verdict, id = ""] = RESULT.exec(line) ?? [];
    const parts = id.replaceAll(".", "::").split("::");
    return [id, ...parts.map((_, at) => parts.slice(at).join("::"))].map((name) => ({
      key: `${verdict} ${name}`,
      line,
    }));
  });
  return new Map([...groupBy(named, ({ key }) => key)].map(([key, all]) => [key, all.map(({ line }) => line)]));
}

/** The block of a failure under the line of the summary that names it, so that the name is told once. */
function blockOf(name: string, lines: readonly string[], results: Results, told: Set<string>): Block {
  const body = tidied(lines);
  const bare = name.replace(/^ERROR (?:at \w+ of|collecting) /, "").replaceAll(".", "::");
  const kind = name.startsWith("ERROR") ? "ERROR" : "FAILED";
  const result = results.get(`${kind} ${bare}`)?.find((line) => !told.has(line));
  if (result === undefined) return { head: [made(`___ ${name}`, 1)], body };
  told.add(result);
  const [, verdict, id = ""] = RESULT.exec(result) ?? [];
  return { head: [made(`${verdict} ${id}`, 2)], body: body.map((line) => withoutName(line, id)) };
}

/** `tests/a.py:12: in test_b` below the name of test_b. */
const IN_TEST = /^(\S.*?\.pyx?:\d+): in (\w+)$/;

function withoutName(line: string, id: string): string {
  const [, place = line, name] = IN_TEST.exec(line) ?? [];
  return name !== undefined && id.includes(`::${name}`) ? place : line;
}

function tidied(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let captured: string[] | undefined;
  // Source lines of a frame are told only if the place below them is the project's.
  let frame: string[] = [];
  const isShort = lines.some((line) => SHORT_PLACE.test(line));
  let above = "";
  for (const line of lines) {
    if (INSIDE.test(line)) continue;
    if (CAPTURED.test(line)) {
      kept.push(...shortened(captured));
      captured = [];
    }
    if (captured !== undefined) {
      if (line.trim() !== "") captured.push(line);
    } else if (isShort && SHORT_PLACE.test(line)) {
      if (!isForeignPath(line)) kept.push(line);
    } else if (line.startsWith(">")) {
      frame = [line];
    } else if (/^E +/.test(line)) {
      frame.push(line);
    } else if (LOCAL.test(line) && frame.some((each) => each.startsWith("E"))) {
      frame.push(line);
    } else if (PLACE.test(line)) {
      const isOwn = !isForeignPath(line);
      kept.push(...frame.filter((each) => isOwn || each.startsWith("E")), ...(isOwn ? [line.trimEnd()] : []));
      frame = [];
    } else if (/^ {4}\S/.test(line) && SHORT_PLACE.test(above) && !isForeignPath(above)) {
      kept.push(line);
    } else if (!/^\s|^$|^_ _|^[\w*, ]+ = /.test(line) && !FRAME_RULE.test(line)) {
      kept.push(line);
    }
    above = line;
  }
  kept.push(...shortened(captured), ...frame);
  return kept;
}

/** The beginning and the end of the output of a test, under its heading. */
function shortened(captured: readonly string[] = []): string[] {
  const [head = "", ...lines] = captured;
  if (captured.length === 0) return [];
  const cut = lines.length - CAPTURED_LINES;
  const told =
    cut <= 0
      ? lines
      : [...lines.slice(0, CAPTURED_LINES - LAST_CAPTURED), `… ${cut} more lines`, ...lines.slice(-LAST_CAPTURED)];
  return [head.replaceAll(/-{4,}/g, "---"), ...told];
}
