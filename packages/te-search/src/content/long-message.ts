import { beginningOf, type SeenLine } from "./make-hit.js";

/** A match message of ripgrep that is too long to be kept: a line of megabytes. */
export interface LongMessage {
  feed(part: Buffer): void;
  /** The line as far as it is known; with the first span, if it lies there. */
  seen(): SeenLine;
}

const HEAD_BYTES = 256 * 1024;
// An unescaped quote ends the text, so neither can stand in a line.
const AFTER_LINES = Buffer.from('"},"line_number":');
const AFTER_MATCH = Buffer.from('"},"start":');

export function longMessage(): LongMessage {
  let head = Buffer.alloc(0);
  const numbers = behind(AFTER_LINES);
  const span = behind(AFTER_MATCH);
  return {
    feed(part) {
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, part.subarray(0, HEAD_BYTES - head.length)]);
      span.feed(numbers.feed(part));
    },
    seen() {
      const [, line = "0", offset = "0"] = /^(\d+),"absolute_offset":(\d+)/.exec(numbers.text()) ?? [];
      const [, start = "0", end = "0"] = /^(\d+),"end":(\d+)/.exec(span.text()) ?? [];
      const bytes = beginningOf(lineIn(head));
      const spans = [[Number(start), Number(end)] as const].filter((span) => span[1] <= bytes.length);
      return { line: Number(line), offset: Number(offset), bytes, spans };
    },
  };
}

/** Collects what stands behind the first `mark`. feed() answers what of a part lies behind it. */
function behind(mark: Buffer): { feed(part: Buffer): Buffer; text(): string } {
  let before: Buffer | undefined = Buffer.alloc(0);
  let found = "";
  const keep = (part: Buffer): Buffer => {
    if (found.length < 64) found += part.toString("latin1", 0, 64);
    return part;
  };
  return {
    feed(part) {
      if (before === undefined) return keep(part);
      const both = Buffer.concat([before, part]);
      const at = both.indexOf(mark);
      if (at === -1) {
        before = Buffer.from(both.subarray(Math.max(0, both.length - mark.length + 1)));
        return Buffer.alloc(0);
      }
      before = undefined;
      return keep(both.subarray(at + mark.length));
    },
    text: () => found,
  };
}

/** As much of the line as the head of its message holds. */
function lineIn(head: Buffer): Buffer {
  const text = head.toString("latin1");
  const [, kind, encoded = ""] = /"lines":\{"(text|bytes)":"([^]*)$/.exec(text) ?? [];
  if (kind === "bytes") return Buffer.from(encoded, "base64");
  // The head may end in the middle of an escape or of a character.
  const whole = encoded.replace(/\\(?:u[0-9a-f]{0,3})?$/i, "").replace(/[\xc0-\xff][\x80-\xbf]*$/, "");
  try {
    return Buffer.from(JSON.parse(`"${Buffer.from(whole, "latin1").toString("utf8")}"`) as string);
  } catch {
    return Buffer.alloc(0);
  }
}
