import type { Grep } from "../engines/engine.js";
import { byFile } from "./by-file.js";
import { mostOfEach } from "./check-query.js";
import { engineLog } from "./engine-log.js";
import { grepLines } from "./grep-lines.js";
import { grepPattern } from "./grep-pattern.js";
import { grepSpans } from "./grep-spans.js";
import { endOf, runOptions, together, type Driven, type Job } from "./job.js";
import type { ListedNames } from "./listed-names.js";
import { markedTexts, type MarkedFile } from "./marked-texts.js";
import { refuseByGrep } from "./refuse-by-trial.js";
import { searchListed, waysBehind, type ListedEngine } from "./search-listed.js";
import { textSpans } from "./text-spans.js";
import { withSpans } from "./with-spans.js";
import { takeUntil } from "../engines/take-until.js";

/** grep over the names of our own walk: it knows neither ignore rules nor types, nor what is hidden. */
export async function searchByGrep(
  outer: Job,
  grep: Grep,
  names: () => ListedNames,
  xargs: string | null,
): Promise<Driven> {
  const { arguments: pattern, isText } = grepPattern(outer.query, grep);
  const sink = withSpans(outer.sink, () => {
    const spans = grepSpans(outer, grep, pattern);
    return isText ? textSpans(outer.query, spans) : spans;
  });
  const job = { ...outer, sink };
  const trial = isText ? undefined : () => refuseByGrep(outer, grep, pattern);
  try {
    const { marked, ...driven } = await searchListed(job, listedGrep(job, grep, pattern), names(), { xargs, trial });
    const all =
      marked.length === 0 || driven.endedBy !== null
        ? driven
        : together(driven, await searchMarked(job, grep, pattern, marked));
    await sink.end();
    return all;
  } finally {
    await sink.close();
  }
}

/** `a`: what is binary was said before. Without a PCRE2 that knows bytes that are no text, those end a match. */
function listedGrep(job: Job, grep: Grep, pattern: readonly string[]): ListedEngine {
  const { query, sink, place } = job;
  const wayOf = waysBehind(job);
  const byFiles = place.held === "witness" ? "lines" : query.mode;
  const most = mostOfEach(query);
  const flags = { lines: most === undefined ? ["-nb"] : ["-nb", `-m${most}`], files: ["-l"], count: ["-c"] }[byFiles];
  const lines = grepLines({
    hasPath: true,
    begin: (path) => sink.begin(wayOf(path)),
    wants: () => sink.wants,
    line: (seen) => sink.line(seen),
  });
  return {
    name: grep.name,
    program: grep.program,
    arguments: ["-aHZ", "--color=never", ...flags, ...pattern, "--"],
    read: byFiles === "lines" ? lines.feed : byFile(sink, { counts: byFiles === "count", wayOf }),
    readsMarks: false,
  };
}

/** What lies behind byte order marks grep gets as UTF-8, all of it as one text. */
async function searchMarked(
  job: Job,
  grep: Grep,
  pattern: readonly string[],
  ways: readonly string[],
): Promise<Driven> {
  const { files, searchRoot, query, sink, signal } = job;
  const texts = markedTexts({ files, searchRoot, ways, signal });
  const log = engineLog();
  let current: MarkedFile | undefined;
  const { feed } = grepLines({
    hasPath: false,
    begin: () => undefined,
    wants: () => sink.wants,
    line(seen, number) {
      const file = texts.fileAt(number);
      if (file === undefined) return;
      if (file === current && query.mode === "files") return;
      if (file !== current) sink.begin(file.way);
      current = file;
      return sink.line(seen && { ...seen, line: seen.line - file.lines, offset: seen.offset - file.bytes });
    },
  });
  const result = await job.place.run([grep.program, "-anb", "--color=never", ...pattern], "root", {
    ...runOptions(job),
    stdin: texts.source,
    onStdout: takeUntil(signal, (chunk) => feed(chunk) ?? sink.rest()),
    onStderr: (chunk) => log.feed(chunk),
  });
  log.end();
  const endedBy = endOf(result, log, grep.name);
  return {
    endedBy,
    ignored: 0,
    hidden: 0,
    unreadable: 0,
    binary: 0,
    atLeast: endedBy !== null,
    inPart: texts.inPart || log.broken > 0,
  };
}
