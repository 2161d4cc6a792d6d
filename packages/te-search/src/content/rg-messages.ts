import type { Bytes } from "@llmc/names";
import { longMessage, type LongMessage } from "./long-message.js";
import type { SeenLine } from "./make-hit.js";
import { lineIn, pathIn } from "./rg-message.js";
import type { Sink } from "./sink.js";

/** Longer messages (a line of megabytes) are not held in memory. */
const MAX_MESSAGE = 8 * 1024 * 1024;
const NEWLINE = 0x0a;
/** The letter behind `{"type":"`: b(egin), m(atch), e(nd); a summary begins with its `{"data":{"`. */
const KIND_AT = 9;
const [BEGIN, MATCH, END, SUMMARY] = [0x62, 0x6d, 0x65, 0x22];

/** Quotes in a name are escaped, so that none can hold this. */
const NO_BINARY = Buffer.from('"binary_offset":null,"stats"');

interface EndData {
  readonly binary_offset: number | null;
}

export interface MessageReader {
  /** A file has begun, and not ended. */
  isInFile(): boolean;
  /** The summary has come: there was nothing more to tell. */
  isWhole(): boolean;
  feed(chunk: Buffer): void | "stop";
}

export interface MessageOptions {
  readonly wayOf: (path: Bytes) => Bytes;
  /** A file in which a NUL byte ended the search. */
  readonly onBinary: (way: Bytes, offset: number) => void;
  /** Of each file one hit counts. */
  readonly namesFiles: boolean;
}

/** Reads what `rg --json` prints. A hit that is not kept is only counted, without a look into its message. */
export function rgMessages(sink: Sink, { wayOf, onBinary, namesFiles }: MessageOptions): MessageReader {
  let way: Bytes = "";
  let isInFile = false;
  let isWhole = false;
  let isNamed = false;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let long: LongMessage | undefined;

  function message(bytes: Buffer, from: number, to: number): void | "stop" {
    const kind = bytes[from + KIND_AT];
    if (kind === MATCH) return isNamed ? undefined : hit(sink.wants ? lineIn(bytes, from, to) : undefined);
    if (kind === BEGIN) {
      isNamed = false;
      isInFile = true;
      way = wayOf(pathIn(bytes, from, to));
      sink.begin(way);
    } else if (kind === END) {
      isInFile = false;
      if (holds(bytes, NO_BINARY, from, to)) return;
      const { binary_offset: at } = (JSON.parse(bytes.toString("utf8", from, to)) as { data: EndData }).data;
      if (at === null) return;
      sink.discard();
      onBinary(way, at);
    } else if (kind === SUMMARY) isWhole = true;
  }

  function hit(seen: SeenLine | undefined): void | "stop" {
    isNamed = namesFiles;
    return sink.line(seen);
  }

  /** The rest of a message of which the beginning came with an earlier chunk. */
  function finishWaiting(rest: Buffer): void | "stop" {
    if (long !== undefined) {
      long.feed(rest);
      const seen = sink.wants ? long.seen() : undefined;
      long = undefined;
      return isNamed ? undefined : hit(seen);
    }
    const whole = Buffer.concat([...waiting, rest]);
    waiting = [];
    waitingBytes = 0;
    return message(whole, 0, whole.length);
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
    isInFile: () => isInFile,
    isWhole: () => isWhole,
    feed(chunk) {
      let at = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, at)) {
        const isRest = waiting.length > 0 || long !== undefined;
        const verdict = isRest ? finishWaiting(chunk.subarray(at, end)) : message(chunk, at, end);
        at = end + 1;
        if (verdict === "stop") return "stop";
      }
      if (at < chunk.length) keepWaiting(chunk.subarray(at));
    },
  };
}

function holds(bytes: Buffer, mark: Buffer, from: number, to: number): boolean {
  const at = bytes.indexOf(mark, from);
  return at !== -1 && at < to;
}
