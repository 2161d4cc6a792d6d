import type { Bytes } from "../files.js";
import { longMessage, type LongMessage } from "./long-message.js";
import type { SeenLine } from "./make-hit.js";
import type { Sink } from "./sink.js";

/** Longer messages (a line of megabytes) are not held in memory. */
const MAX_MESSAGE = 8 * 1024 * 1024;
const NEWLINE = 0x0a;
/** The letter behind `{"type":"`: b(egin), m(atch), e(nd); a summary does not begin so. */
const KIND_AT = 9;
const [BEGIN, MATCH, END] = [0x62, 0x6d, 0x65];

/** Quotes in a name are escaped, so that none can hold this. */
const NO_BINARY = Buffer.from('"binary_offset":null,"stats"');

type Text =
  | { readonly text: string; readonly bytes?: undefined }
  | { readonly text?: undefined; readonly bytes: string };
interface EndData {
  readonly binary_offset: number | null;
}
interface MatchData {
  readonly lines: Text;
  readonly line_number: number;
  readonly absolute_offset: number;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
}

export interface MessageReader {
  feed(chunk: Buffer): void | "stop";
}

export interface MessageOptions {
  readonly wayOf: (path: Bytes) => Bytes;
  /** A file in which a NUL byte ended the search. */
  readonly onBinary: (way: Bytes, offset: number) => void;
}

/** Reads what `rg --json` prints. A hit that is not kept is only counted, without a look into its message. */
export function rgMessages(sink: Sink, { wayOf, onBinary }: MessageOptions): MessageReader {
  let way: Bytes = "";
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let long: LongMessage | undefined;

  function message(bytes: Buffer): void | "stop" {
    const kind = bytes[KIND_AT];
    if (kind === MATCH) return sink.line(sink.wants ? lineOf(bytes) : undefined);
    if (kind === BEGIN) {
      way = wayOf(bytesOf((JSON.parse(bytes.toString("utf8")) as { data: { path: Text } }).data.path));
      sink.begin(way);
    } else if (kind === END && !bytes.includes(NO_BINARY)) {
      const { binary_offset: at } = (JSON.parse(bytes.toString("utf8")) as { data: EndData }).data;
      if (at === null) return;
      sink.discard();
      onBinary(way, at);
    }
  }

  /** The rest of a message of which the beginning came with an earlier chunk. */
  function finishWaiting(rest: Buffer): void | "stop" {
    if (long !== undefined) {
      long.feed(rest);
      const seen = sink.wants ? long.seen() : undefined;
      long = undefined;
      return sink.line(seen);
    }
    const whole = Buffer.concat([...waiting, rest]);
    waiting = [];
    waitingBytes = 0;
    return message(whole);
  }

  function keepWaiting(part: Buffer): void {
    if (long !== undefined) return long.feed(part);
    // A copy: the chunk that it is a part of is larger.
    waiting.push(Buffer.from(part));
    waitingBytes += part.length;
    if (waitingBytes <= MAX_MESSAGE || waiting[0]?.[KIND_AT] !== MATCH) return;
    long = longMessage();
    for (const one of waiting) long.feed(one);
    waiting = [];
    waitingBytes = 0;
  }

  return {
    feed(chunk) {
      let at = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, at)) {
        const part = chunk.subarray(at, end);
        at = end + 1;
        const verdict = waiting.length > 0 || long !== undefined ? finishWaiting(part) : message(part);
        if (verdict === "stop") return "stop";
      }
      if (at < chunk.length) keepWaiting(chunk.subarray(at));
    },
  };
}

function lineOf(message: Buffer): SeenLine {
  const { data } = JSON.parse(message.toString("utf8")) as { data: MatchData };
  const { lines, line_number, absolute_offset, submatches } = data;
  const bytes = lines.text ?? Buffer.from(lines.bytes, "base64");
  return { line: line_number, offset: absolute_offset, bytes, spans: submatches };
}

function bytesOf({ text, bytes }: Text): Bytes {
  return (text === undefined ? Buffer.from(bytes, "base64") : Buffer.from(text, "utf8")).toString("latin1");
}
