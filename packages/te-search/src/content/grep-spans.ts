import type { Grep } from "../engines/engine.js";
import { engineLog } from "./engine-log.js";
import { grepLines } from "./grep-lines.js";
import { endOf, runOptions, type Runner } from "./job.js";
import { lineFeed } from "./line-feed.js";
import type { Span, SpanSearch } from "./with-spans.js";
import { takeUntil } from "../engines/take-until.js";

/** Of a line. */
const MOST_SPANS = 100;
/** A longer line is asked for alone: it may hold more matches than all others. */
const LONG_LINE_BYTES = 16 * 1024;

type Found = Map<number, Span[]>;

/** Has grep tell, of lines that it has found, what in them matches: of all in one run, which begins with the first. */
export function grepSpans(job: Runner, grep: Grep, pattern: readonly string[]): SpanSearch {
  const found: Found = new Map();
  const long: { readonly index: number; readonly line: Buffer }[] = [];
  const feed = lineFeed();
  const indices: number[] = [];
  let asked: Promise<void> | undefined;
  let index = 0;
  return {
    add(line) {
      if (line.length > LONG_LINE_BYTES) long.push({ index, line });
      else {
        indices.push(index);
        feed.give(line);
        asked ??= spansIn(job, grep, pattern, { feed, indices, found });
        // Nobody may ask.
        asked.catch(() => undefined);
      }
      index += 1;
    },
    async found() {
      feed.end();
      await asked;
      for (const one of long) {
        const alone = lineFeed();
        alone.give(one.line);
        alone.end();
        await spansIn(job, grep, pattern, { feed: alone, indices: [one.index], found });
      }
      return found;
    },
    async close() {
      feed.end();
      await asked?.catch(() => undefined);
    },
  };
}

const ARGUMENTS = ["-aonb", "--color=never"];

interface Lines {
  readonly feed: ReturnType<typeof lineFeed>;
  /** By the number of a line among those that are fed. */
  readonly indices: readonly number[];
  readonly found: Found;
}

async function spansIn(
  job: Runner,
  grep: Grep,
  pattern: readonly string[],
  { feed, indices, found }: Lines,
): Promise<void> {
  const read = grepLines({
    hasPath: false,
    begin: () => undefined,
    wants: () => true,
    line(seen, number) {
      const index = indices[number - 1];
      if (index === undefined) return;
      const own = found.get(index) ?? [];
      found.set(index, own);
      const start = (seen?.offset ?? 0) - feed.startOf(number);
      if (own.length < MOST_SPANS) own.push([start, start + (seen?.bytes.length ?? 0)]);
      else if (feed.isOver && indices.length === 1) return "stop";
    },
  });
  const log = engineLog();
  const result = await job.place.run([grep.program, ...ARGUMENTS, ...pattern], "root", {
    ...runOptions(job),
    stdin: feed.source,
    onStdout: takeUntil(job.signal, (chunk) => read.feed(chunk)),
    onStderr: (chunk) => log.feed(chunk),
  });
  log.end();
  endOf(result, log, grep.name);
}
