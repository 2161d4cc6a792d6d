import { isAscii } from "node:buffer";
import type { ContentQuery } from "../query/content-query.js";
import type { Span, SpanSearch } from "./with-spans.js";

/** Of a line. */
const MOST_SPANS = 100;

/** Where a plain text stands in lines, looked up here. Beyond ASCII case is not ours to fold: `others` is asked. */
export function textSpans(
  { pattern, ignoreCase }: Pick<ContentQuery, "pattern" | "ignoreCase">,
  others: SpanSearch,
): SpanSearch {
  const text = Buffer.from(pattern);
  const lower = isAscii(text) ? pattern.toLowerCase() : undefined;
  const found = new Map<number, readonly Span[]>();
  const elsewhere: number[] = [];
  let index = 0;
  const look = (line: Buffer): readonly Span[] | undefined => {
    if (!ignoreCase) return spansOf((from) => line.indexOf(text, from), text.length);
    if (lower === undefined || !isAscii(line)) return undefined;
    const inLower = line.toString("latin1").toLowerCase();
    return spansOf((from) => inLower.indexOf(lower, from), lower.length);
  };
  return {
    add(line) {
      const spans = look(line);
      if (spans === undefined) {
        elsewhere.push(index);
        others.add(line);
      } else found.set(index, spans);
      index += 1;
    },
    async found() {
      for (const [nth, spans] of await others.found()) found.set(elsewhere[nth] as number, spans);
      return found;
    },
    close: others.close,
  };
}

function spansOf(next: (from: number) => number, length: number): Span[] {
  const spans: Span[] = [];
  for (let at = next(0); at !== -1 && spans.length < MOST_SPANS; at = next(at + length)) {
    spans.push([at, at + length]);
  }
  return spans;
}
