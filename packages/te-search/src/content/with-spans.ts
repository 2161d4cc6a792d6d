import type { Bytes } from "@llmc/names";
import type { SeenLine } from "./make-hit.js";
import type { Sink } from "./sink.js";

export type Span = SeenLine["spans"][number];

/** Finds out where in lines the matches are, while further lines come. */
export interface SpanSearch {
  add(line: Buffer): void;
  /** No more lines come: where they match, by their place in the order in which they came; of each line some. */
  found(): Promise<ReadonlyMap<number, readonly Span[]>>;
  /** Ends what still runs. */
  close(): Promise<void>;
}

export interface SpanSink extends Sink {
  close(): Promise<void>;
}

/** An empty match is not told. */
const NOWHERE: readonly Span[] = [[0, 0]];

interface Waiting {
  readonly way: Bytes;
  readonly lines: AskedLine[];
  /** Lines that are only counted, behind the others. */
  counted: number;
}

interface AskedLine {
  readonly seen: SeenLine;
  /** Its place among the lines that were asked for. */
  readonly nth: number | undefined;
}

/** So many are asked for at once. */
const BATCH_LINES = 2000;
const BATCH_BYTES = 256 * 1024;

/** For an engine that tells which lines match, but not where in them. */
export function withSpans(sink: Sink, open: () => SpanSearch): SpanSink {
  let waiting: Waiting[] = [];
  let search: SpanSearch | undefined;
  let [lines, bytes, asked] = [0, 0, 0];

  async function flush(): Promise<void | "stop"> {
    const batch = waiting;
    const last = batch.at(-1);
    waiting = last === undefined ? [] : [{ way: last.way, lines: [], counted: 0 }];
    const spans = await search?.found();
    search = undefined;
    [lines, bytes, asked] = [0, 0, 0];
    for (const file of batch) {
      if (file.lines.length + file.counted === 0) continue;
      begin(file.way);
      for (const { seen, nth } of file.lines) {
        const its = (nth === undefined ? undefined : spans?.get(nth)) ?? NOWHERE;
        if (sink.line(sink.wants ? { ...seen, spans: its } : undefined) === "stop") return "stop";
      }
      if (sink.count(file.counted) === "stop") return "stop";
    }
  }

  function ask(seen: SeenLine): number | undefined {
    if (!sink.keeps) return undefined;
    search ??= open();
    search.add(seen.bytes as Buffer);
    asked += 1;
    return asked - 1;
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
      else file.lines.push({ seen, nth: ask(seen) });
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
    close: async () => await search?.close(),
  };
}
