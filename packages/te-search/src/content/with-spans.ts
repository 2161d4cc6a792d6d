import type { Bytes } from "../files.js";
import type { SeenLine } from "./make-hit.js";
import type { Sink } from "./sink.js";

export type Span = SeenLine["spans"][number];

/** Asks where in these lines the matches are; of each line some. */
export type FindSpans = (lines: readonly Buffer[]) => Promise<ReadonlyMap<number, readonly Span[]>>;

/** An empty match is not told. */
const NOWHERE: readonly Span[] = [{ start: 0, end: 0 }];

interface Waiting {
  readonly way: Bytes;
  readonly lines: SeenLine[];
  /** Lines that are only counted, behind the others. */
  counted: number;
}

/** So many are asked for at once. */
const BATCH_LINES = 1000;
const BATCH_BYTES = 256 * 1024;

/** For an engine that tells which lines match, but not where in them. */
export function withSpans(sink: Sink, find: FindSpans): Sink {
  let waiting: Waiting[] = [];
  let [lines, bytes] = [0, 0];

  async function flush(): Promise<void | "stop"> {
    const batch = waiting;
    const last = batch.at(-1);
    waiting = last === undefined ? [] : [{ way: last.way, lines: [], counted: 0 }];
    [lines, bytes] = [0, 0];
    const all = batch.flatMap((file) => file.lines);
    const spans = all.length === 0 || !sink.keeps ? undefined : await find(all.map((seen) => seen.bytes as Buffer));
    let index = 0;
    for (const file of batch) {
      if (file.lines.length + file.counted === 0) continue;
      begin(file.way);
      for (const seen of file.lines) {
        const verdict = sink.line(sink.wants ? { ...seen, spans: spans?.get(index) ?? NOWHERE } : undefined);
        index += 1;
        if (verdict === "stop") return "stop";
      }
      if (sink.count(file.counted) === "stop") return "stop";
    }
  }

  let begun: Bytes | undefined;
  function begin(way: Bytes): void {
    if (begun === way) return;
    begun = way;
    sink.begin(way);
  }

  return {
    begin: (way) => void waiting.push({ way, lines: [], counted: 0 }),
    get wants() {
      return sink.wants;
    },
    get keeps() {
      return sink.keeps;
    },
    line(seen) {
      const file = waiting.at(-1);
      if (file === undefined) return;
      if (seen === undefined) file.counted += 1;
      else file.lines.push(seen);
      lines += 1;
      bytes += seen?.bytes.length ?? 0;
    },
    count(more) {
      const file = waiting.at(-1);
      if (file !== undefined) file.counted += more;
      lines += 1;
    },
    discard: () => void waiting.pop(),
    async rest() {
      if (lines < BATCH_LINES && bytes < BATCH_BYTES) return;
      return (await flush()) ?? (await sink.rest());
    },
    async end() {
      return (await flush()) ?? (await sink.end());
    },
  };
}
