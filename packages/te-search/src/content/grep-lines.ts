import type { Bytes } from "@llmc/names";
import { beginningOf, type SeenLine } from "./make-hit.js";

/** What grep tells of a line: `path NUL number : offset : text newline`, without the path where there is one file only. */
export interface GrepLinesOptions {
  readonly hasPath: boolean;
  readonly begin: (path: Bytes) => void;
  readonly wants: () => boolean;
  readonly line: (seen: SeenLine | undefined, number: number) => void | "stop";
}

export interface GrepLines {
  feed(chunk: Buffer): void | "stop";
}

const NUL = 0;
const COLON = 0x3a;
const NEWLINE = 0x0a;
/** Of a longer line only the beginning is kept. */
const MOST_BYTES = 8 * 1024 * 1024;

/** In the order in which they come; the text may hold all of what separates them but the last. */
const PARTS = [NUL, COLON, COLON, NEWLINE] as const;
const TEXT = 3;

export function grepLines({ hasPath, begin, wants, line }: GrepLinesOptions): GrepLines {
  const firstPart = hasPath ? 0 : 1;
  let part = firstPart;
  let fields = ["", "", ""];
  let pieces: Buffer[] = [];
  let kept = 0;
  let path: Bytes | undefined;

  function take(piece: Buffer): void {
    if (part < TEXT) fields[part] += piece.toString("latin1");
    else if (kept < MOST_BYTES && wants()) {
      // A copy: the chunk that it is a part of is larger.
      const some = Buffer.from(piece.subarray(0, MOST_BYTES - kept));
      pieces.push(some);
      kept += some.length;
    }
  }

  function finish(): void | "stop" {
    if (part < TEXT) {
      part += 1;
      return;
    }
    const [own = "", number, offset] = fields;
    if (hasPath && own !== path) {
      path = own;
      begin(own);
    }
    const text = Buffer.concat(pieces);
    const bytes = text.length < MOST_BYTES ? text : beginningOf(text);
    const seen = { line: Number(number), offset: Number(offset), bytes, spans: [] };
    const verdict = line(wants() ? seen : undefined, seen.line);
    [part, fields, pieces, kept] = [firstPart, ["", "", ""], [], 0];
    return verdict;
  }

  return {
    feed(chunk) {
      let at = 0;
      while (at < chunk.length) {
        const end = chunk.indexOf(PARTS[part] as number, at);
        take(chunk.subarray(at, end === -1 ? chunk.length : end));
        if (end === -1) return;
        at = end + 1;
        if (finish() === "stop") return "stop";
      }
    },
  };
}
