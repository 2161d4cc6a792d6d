import { abortReason } from "@llmc/errors";
import { setImmediate as nextTurn } from "node:timers/promises";
import { markedEncoding } from "@llmc/patch";
import { extract } from "./extract.js";
import { sliceOf, startPage, type PageWanted, type TextSlice } from "./read-slice.js";

const UTF_8 = markedEncoding(Buffer.alloc(0));
const NEWLINE = 10;
/** Lines that are counted before others get their turn: about a millisecond. */
const STRIDE = 20_000;

/** Lines of UTF-8 text that is in memory, chosen and cut as `readSlice` does it with those of a file. */
export async function sliceText(text: Buffer, wanted: PageWanted): Promise<TextSlice> {
  const { signal, maxLineChars } = wanted;
  const { newlines } = await skipLines(text, Number.POSITIVE_INFINITY, signal);
  const lines = newlines + (text.length > 0 && text.at(-1) !== NEWLINE ? 1 : 0);
  const { page, first } = startPage(lines, wanted);
  if (first < lines) {
    const { position } = await skipLines(text, first, signal);
    // A fetch may ask the kernel; memory has no need to.
    // oxlint-disable-next-line require-yield
    const fetch = function* (at: number, length: number) {
      return text.subarray(at, at + length);
    };
    extract({ encoding: UTF_8, position, end: text.length, maxLineChars }, fetch, page).next();
  }
  return sliceOf(page, lines, UTF_8);
}

interface Skipped {
  readonly newlines: number;
  /** Where the next line starts. */
  readonly position: number;
}

async function skipLines(text: Buffer, lines: number, signal: AbortSignal | undefined): Promise<Skipped> {
  let newlines = 0;
  let position = 0;
  while (newlines < lines) {
    const found = text.indexOf(NEWLINE, position);
    if (found === -1) break;
    newlines += 1;
    position = found + 1;
    if (newlines % STRIDE === 0) await nextTurn();
    if (signal?.aborted === true) throw abortReason(signal);
  }
  return { newlines, position };
}
