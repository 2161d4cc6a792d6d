import { extractPages, joinPages, type PageRange } from "@llmc/documents";
import { OutputTooLargeError, UnsupportedContentError } from "@llmc/errors";
import { readBytes, sliceText, type OpenFile } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../../../../context/context.js";
import type { Reading, Wanted } from "../reading.js";
import { fit, isTruncated, metaOf, pageWanted } from "../text.js";
import { keepText, keptText, type PdfText } from "./kept-text.js";
import { parsePages } from "./pages.js";

/** It is held in memory as a whole. */
export const MAX_PDF_BYTES = 32 * 1024 * 1024;

export function isPdf(head: Buffer): boolean {
  return head.toString("latin1", 0, 5) === "%PDF-";
}

/** The text of its pages as if it were a file: sliced by lines, with a handle on all of it. */
export async function readPdf(file: OpenFile, wanted: Wanted, context: LinuxOpsContext): Promise<Reading> {
  const range = parsePages(wanted.pages);
  const isWhole = wanted.pages === undefined;
  const readAtMs = Date.now();
  const kept = isWhole ? await keptText(file, context) : null;
  const text = kept ?? (await context.readers.turns.take(() => textOf(file, range, context), context.signal));
  const slice = fit(await sliceText(text.text, pageWanted(wanted, context)), wanted);
  const truncated = isTruncated(slice, wanted);
  const handle = truncated ? (kept?.handle ?? (await keepText(file, text, isWhole ? readAtMs : null, context))) : null;
  const meta = { ...metaOf(file.path, slice, truncated), pages: text.pages };
  return { content: slice.content, handle: handle?.id ?? null, meta };
}

async function textOf(file: OpenFile, range: PageRange, context: LinuxOpsContext): Promise<PdfText> {
  const { path, size } = file;
  const { signal, mcp, readers } = context;
  const program = await readers.pdf();
  if (program === null) throw new UnsupportedContentError(path, "PDF document", size, NOT_INSTALLED);
  if (size > MAX_PDF_BYTES) {
    throw new OutputTooLargeError(path, `is too large to be read as text (PDF document, ${size} bytes)`, TOO_LARGE);
  }
  const bytes = await readBytes(file, { offset: 0, length: size, signal });
  // Half of a call, so that the answer names the file and not just the deadline.
  const timeoutMs = mcp.tools.read_timeout * 500;
  const pages = await extractPages({ path, bytes, range, program, timeoutMs, signal });
  const text = joinPages(pages, range.first);
  const last = range.first + pages.length - 1;
  const numbers = last > range.first ? `${range.first}-${last}` : String(range.first);
  if (text === null) throw new UnsupportedContentError(path, `PDF document, no text on page ${numbers}`, size, SCANNED);
  return { text, pages: numbers };
}

const NOT_INSTALLED = "The operator can install the npm package unpdf, or poppler-utils, which has pdftotext.";
const TOO_LARGE = `PDFs of up to ${MAX_PDF_BYTES} bytes can be: split it, for example by qpdf.`;
const SCANNED = "Scanned pages need OCR first, for example by ocrmypdf.";
