import { dieWithParent, run } from "@llmc/te-run";
import { takeUntil } from "../engines/take-until.js";
import type { FoundEngines, Grep, Ripgrep } from "../engines/engine.js";
import type { TextFound } from "../query/content-found.js";
import type { ContentOptions, ContentQuery, HeldText, TextQuery } from "../query/content-query.js";
import { checkQuery } from "./check-query.js";
import { engineLog } from "./engine-log.js";
import { grepLines } from "./grep-lines.js";
import { grepPattern } from "./grep-pattern.js";
import { grepSpans } from "./grep-spans.js";
import { endOf, runOptions, type EndedBy, type Runner } from "./job.js";
import { ENVIRONMENT } from "./place-for.js";
import { refuseByGrep } from "./refuse-by-trial.js";
import { ALWAYS, lineByLine, patternArguments } from "./rg-arguments.js";
import { rgMessages } from "./rg-messages.js";
import { noEngine } from "./search-content.js";
import { Trusting } from "./sink.js";
import { Tally } from "./tally.js";
import { textSpans } from "./text-spans.js";
import { withSpans } from "./with-spans.js";

const NOTHING_LEFT_OUT = { ignored: 0, hidden: 0, binary: 0, unreadable: 0, changed: 0, atLeast: false };

/** Runs the engine without a sandbox, because it gets the text on stdin and opens no file. */
const STDIN_ONLY: Runner["place"] = {
  held: "witness",
  searchRoot: undefined,
  run: async (argv, _at, options) => await run(await dieWithParent(argv), { ...options, ...ENVIRONMENT, cwd: "/" }),
  close: () => Promise.resolve(),
};

/** Searches a text like a file with that content. */
export async function searchText(
  engines: () => Promise<FoundEngines>,
  { name, bytes }: HeldText,
  asked: TextQuery,
  { signal, deadlineMs, onHit }: ContentOptions,
): Promise<TextFound> {
  const deadline = performance.now() + deadlineMs;
  const query: ContentQuery = { ...asked, root: name, respectIgnore: false, includeHidden: true };
  checkQuery(query);
  const { content: engine } = await engines();
  if (engine === null) throw noEngine();
  const tally = new Tally(query, () => name, onHit);
  const sink = new Trusting(tally, query.maxLineChars);
  const search = { query, bytes, sink, runner: { place: STDIN_ONLY, signal, deadline } };
  const early = engine.kind === "ripgrep" ? await byRipgrep(search, engine) : await byGrep(search, engine);
  const endedBy = early ?? (tally.isFull ? "scan bound" : null);
  return {
    engine: engine.name,
    total: tally.total,
    exact: endedBy === null,
    endedBy,
    files: tally.files,
    kept: tally.kept,
    leftOut: NOTHING_LEFT_OUT,
  };
}

interface TextSearch {
  readonly query: ContentQuery;
  readonly bytes: Buffer;
  readonly sink: Trusting;
  readonly runner: Runner;
}

async function byRipgrep({ query, bytes, sink, runner }: TextSearch, rg: Ripgrep): Promise<EndedBy> {
  const read = rgMessages(sink, {
    wayOf: () => "",
    onBinary: () => undefined,
    namesFiles: query.mode === "files",
  });
  const argv = [
    rg.program,
    ...ALWAYS,
    "--text",
    ...lineByLine(query),
    ...patternArguments(query, rg),
    "--",
    "-",
  ] as const;
  return await ended(runner, argv, { name: rg.name, bytes, read: (chunk) => read.feed(chunk) });
}

async function byGrep({ query, bytes, sink, runner }: TextSearch, grep: Grep): Promise<EndedBy> {
  const { arguments: pattern, isText } = grepPattern(query, grep);
  if (!isText) await refuseByGrep(runner, grep, pattern);
  const spanned = withSpans(sink, () => {
    const spans = grepSpans(runner, grep, pattern);
    return isText ? textSpans(query, spans) : spans;
  });
  const lines = grepLines({
    hasPath: false,
    begin: () => undefined,
    wants: () => spanned.wants,
    line: (seen) => spanned.line(seen),
  });
  try {
    spanned.begin("");
    const argv = [grep.program, "-anb", "--color=never", ...pattern] as const;
    const read = (chunk: Buffer) => lines.feed(chunk) ?? spanned.rest();
    const endedBy = await ended(runner, argv, { name: grep.name, bytes, read });
    await spanned.end();
    return endedBy;
  } finally {
    await spanned.close();
  }
}

interface Feeding {
  readonly name: string;
  readonly bytes: Buffer;
  readonly read: (chunk: Buffer) => void | "stop" | Promise<void | "stop">;
}

async function ended(runner: Runner, argv: readonly [string, ...string[]], feeding: Feeding): Promise<EndedBy> {
  const log = engineLog();
  const result = await runner.place.run(argv, "root", {
    ...runOptions(runner),
    stdin: feeding.bytes,
    onStdout: takeUntil(runner.signal, feeding.read),
    onStderr: (chunk) => log.feed(chunk),
  });
  log.end();
  return endOf(result, log, feeding.name);
}
