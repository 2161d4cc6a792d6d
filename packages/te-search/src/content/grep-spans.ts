import { CancelledError } from "@llmc/errors";
import type { Grep } from "../engines/find-engines.js";
import { grepLines } from "./grep-lines.js";
import { runOptions, type Job } from "./job.js";
import type { FindSpans, Span } from "./with-spans.js";

/** Of a line. */
const MOST_SPANS = 100;
/** A longer line is asked for alone: it may hold more matches than all others. */
const LONG_LINE_BYTES = 16 * 1024;
const NEWLINE = Buffer.of(0x0a);

/** Has grep tell, of lines that it has found, what in them matches. */
export function grepSpans(job: Pick<Job, "place" | "signal" | "deadline">, grep: Grep, pattern: string[]): FindSpans {
  return async (lines) => {
    const found = new Map<number, readonly Span[]>();
    const short = [...lines.keys()].filter((index) => (lines[index] as Buffer).length <= LONG_LINE_BYTES);
    const long = [...lines.keys()].filter((index) => (lines[index] as Buffer).length > LONG_LINE_BYTES);
    for (const some of [short, ...long.map((index) => [index])]) {
      if (some.length === 0) continue;
      const spans = await spansIn(some.map((index) => lines[index] as Buffer));
      for (const [nth, index] of some.entries())
        if ((spans[nth] ?? []).length > 0) found.set(index, spans[nth] as Span[]);
    }
    return found;
  };

  async function spansIn(lines: readonly Buffer[]): Promise<readonly Span[][]> {
    const starts = startsOf(lines);
    const spans: Span[][] = lines.map(() => []);
    const read = grepLines({
      hasPath: false,
      begin: () => undefined,
      wants: () => true,
      line(seen, number) {
        const own = spans[number - 1];
        const start = (seen?.offset ?? 0) - (starts[number - 1] ?? 0);
        if (own === undefined) return;
        if (own.length < MOST_SPANS) own.push({ start, end: start + (seen?.bytes.length ?? 0) });
        else if (lines.length === 1) return "stop";
      },
    });
    const { ended } = await job.place.run([grep.program, "-aonb", "--color=never", ...pattern], "root", {
      ...runOptions(job),
      stdin: Buffer.concat(lines.flatMap((line) => [line, NEWLINE])),
      onStdout: (chunk) => read.feed(chunk),
    });
    if (ended === "cancelled") throw new CancelledError("The search");
    return spans;
  }
}

function startsOf(lines: readonly Buffer[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}
