import type { Bytes } from "@llmc/names";
import { whichVerified, type Looking } from "./verify-hits.js";
import { makeHit, type SeenLine } from "./make-hit.js";
import type { Sink } from "./sink.js";
import type { Tally } from "./tally.js";

/** A sink for an engine that may have been led astray: a line counts when it is found again by our own way to the file. */
export interface Witness extends Sink {
  /** Lines that were not found again. */
  readonly changed: number;
}

interface Claimed {
  readonly way: Bytes;
  readonly lines: SeenLine[];
}

/** So much is looked at at once. */
const BATCH_LINES = 500;
const BATCH_BYTES = 1024 * 1024;

export function verifiedSink(tally: Tally, maxLineChars: number, looking: Looking): Witness {
  let claimed: Claimed[] = [];
  let [lines, bytes, changed] = [0, 0, 0];

  async function look(): Promise<void | "stop"> {
    const batch = claimed.filter((file) => file.lines.length > 0);
    // The last file may go on.
    const last = claimed.at(-1);
    claimed = last === undefined ? [] : [{ way: last.way, lines: [] }];
    lines = 0;
    bytes = 0;
    if (batch.length === 0) return;
    const verified = await whichVerified(looking, batch);
    for (const [nth, { way, lines: seen }] of batch.entries()) {
      if (tally.current !== way) tally.begin(way);
      for (const [index, line] of seen.entries()) {
        if (verified[nth]?.[index] !== true) changed += 1;
        else if (tally.add(tally.hasRoom ? makeHit(line, maxLineChars) : undefined) === "stop") return "stop";
      }
    }
  }

  return {
    begin(way) {
      claimed.push({ way, lines: [] });
    },
    wants: true,
    get keeps() {
      return tally.hasRoom;
    },
    line(seen) {
      if (seen === undefined) return;
      claimed.at(-1)?.lines.push(seen);
      lines += 1;
      bytes += seen.bytes.length;
    },
    // Only lines can be looked at again: an engine whose word is not taken tells nothing else.
    count: () => undefined,
    discard() {
      const file = claimed.pop();
      if (file !== undefined && tally.current === file.way) tally.discard();
    },
    rest: () => (lines < BATCH_LINES && bytes < BATCH_BYTES ? undefined : look()),
    end: look,
    get changed() {
      return changed;
    },
  };
}
