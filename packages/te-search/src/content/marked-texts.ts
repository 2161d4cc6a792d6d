import { OpsError } from "@llmc/errors";
import { readSlice, type Files } from "@llmc/te-fs";
import { displayBelow } from "@llmc/names";
import type { Bytes } from "@llmc/names";
import type { SearchRoot } from "../search-root/search-root.js";

/** Text of files behind byte order marks, one after the other, as UTF-8 without the marks. */
export interface MarkedTexts {
  readonly source: AsyncIterable<Uint8Array>;
  /** In which file a line lies. */
  fileAt(line: number): MarkedFile | undefined;
  /** Not all of their text was read. */
  readonly inPart: boolean;
}

export interface MarkedFile {
  readonly way: Bytes;
  /** Lines and bytes of the files before it. */
  readonly lines: number;
  readonly bytes: number;
}

export interface MarkedOptions {
  readonly files: Pick<Files, "open">;
  readonly searchRoot: SearchRoot;
  readonly ways: readonly Bytes[];
  readonly signal: AbortSignal | undefined;
}

const PAGE = { maxLines: 10_000, maxLineChars: 1_000_000, maxBytes: 256 * 1024, keepWholeUpTo: 0 };

export function markedTexts({ files, searchRoot, ways, signal }: MarkedOptions): MarkedTexts {
  const begun: MarkedFile[] = [];
  let [lines, bytes, inPart] = [0, 0, false];

  async function* textOf(way: Bytes): AsyncGenerator<Uint8Array> {
    await using file = await files.open(way === "" ? searchRoot.path : displayBelow(searchRoot.path, [way]), {
      ...(signal && { signal }),
    });
    for (let next: number | null = 0; next !== null;) {
      const slice = await readSlice(file, { ...PAGE, offsetLines: next, signal });
      const text = next === 0 ? slice.content.replace(/^\uFEFF/, "") : slice.content;
      if (slice.cutLines.length > 0 || slice.changed) inPart = true;
      next = slice.nextOffsetLines;
      const whole = next === null && text !== "" && !text.endsWith("\n") ? `${text}\n` : text;
      const piece = Buffer.from(whole);
      lines += whole.split("\n").length - 1;
      bytes += piece.length;
      yield piece;
    }
  }

  async function* all(): AsyncGenerator<Uint8Array> {
    for (const way of ways) {
      begun.push({ way, lines, bytes });
      try {
        yield* textOf(way);
      } catch (thrown) {
        // It is gone, or no text by now.
        if (!OpsError.is(thrown) || thrown.code === "INTERNAL" || signal?.aborted === true) throw thrown;
        inPart = true;
      }
    }
  }

  return {
    source: all(),
    fileAt: (line) => begun.findLast((file) => file.lines < line),
    get inPart() {
      return inPart;
    },
  };
}
