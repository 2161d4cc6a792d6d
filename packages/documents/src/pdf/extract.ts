import {
  InvalidArgumentError,
  OutputTooLargeError,
  TimeoutError,
  UnsupportedContentError,
  type Remedy,
} from "@llmc/errors";
import { run, type RunResult } from "@llmc/te-run";
import { limited, type ReaderProgram } from "../program/reader-program.js";

/** Pages of a PDF, counted from 1. */
export interface PageRange {
  readonly first: number;
  /** undefined means the last page. */
  readonly last: number | undefined;
}

export interface Extraction {
  readonly path: string;
  readonly bytes: Buffer;
  readonly range: PageRange;
  /** Accepts the arguments of pdftotext. */
  readonly program: ReaderProgram;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** Bounds the pages, because a small file can name one empty page ten thousand times. */
export const MAX_PAGES = 10_000;
const MAX_STDERR = 4096;
const FORM_FEED = 12;

/** Returns the text of each page of a PDF. The program gets the bytes and no path, so no path can be swapped. */
export async function extractPages(extraction: Extraction): Promise<Buffer[]> {
  const { path, bytes, range, program, timeoutMs, signal } = extraction;
  const chunks: Buffer[] = [];
  let size = 0;
  const result = await run(await limited(program, argumentsFor(range)), {
    ...(program.cwd === undefined ? {} : { cwd: program.cwd }),
    stdin: bytes,
    maxBytes: MAX_STDERR,
    timeoutMs,
    signal,
    onStdout: (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      return size > MAX_TEXT_BYTES ? "stop" : undefined;
    },
  });
  if (result.ended === "stopped") throw tooLong(path, `more than ${MAX_TEXT_BYTES} bytes of text`, range.first, 50);
  checkEnd(result, extraction);
  const pages = split(Buffer.concat(chunks), MAX_PAGES + 1);
  if (pages.length > MAX_PAGES) throw tooLong(path, `more than ${MAX_PAGES} pages`, range.first, MAX_PAGES);
  return pages;
}

function argumentsFor({ first, last }: PageRange): string[] {
  const beyond = first + MAX_PAGES;
  const until = String(Math.min(last ?? beyond, beyond));
  return ["-enc", "UTF-8", "-eol", "unix", "-f", String(first), "-l", until, "-", "-"];
}

/** Pages that a retry after a time-out is advised to read. */
const FEW_PAGES = 20;

function fewer(first: number, count: number): Remedy {
  return { id: "fewer-pages", first, last: first + count - 1 };
}

function tooLong(path: string, what: string, first: number, count: number): OutputTooLargeError {
  return new OutputTooLargeError(path, `is too large: it has ${what}`, fewer(first, count));
}

/** Splits at form feeds, because every page ends with one, the last page too. */
function split(text: Buffer, most: number): Buffer[] {
  const pages: Buffer[] = [];
  let start = 0;
  for (let end = text.indexOf(FORM_FEED); end !== -1 && pages.length < most; end = text.indexOf(FORM_FEED, start)) {
    pages.push(text.subarray(start, end));
    start = end + 1;
  }
  return pages;
}

function checkEnd(result: RunResult, { path, bytes, range, program, timeoutMs, signal }: Extraction): void {
  const { ended, exitCode, stderr } = result;
  signal.throwIfAborted();
  if (ended === "timeout") {
    throw new TimeoutError(`Reading the text of ${path}`, timeoutMs / 1000, fewer(range.first, FEW_PAGES));
  }
  if (exitCode === 0) return;
  const said = stderr.toString("latin1");
  const count = /first page \(\d+\) can not be after the last page \((\d+)\)/.exec(said)?.[1];
  if (count !== undefined) {
    throw new InvalidArgumentError(`${path} has no page ${range.first}`, `Its last page is ${count}.`);
  }
  throw new UnsupportedContentError(path, `PDF document that ${reason(said, exitCode, program)}`, bytes.length);
}

function reason(said: string, exitCode: number | null, { name }: ReaderProgram): string {
  if (said.includes("Incorrect password")) return "needs a password";
  if (exitCode === COPYING_FORBIDDEN) return "forbids copying its text";
  return `${name} cannot read`;
}

const COPYING_FORBIDDEN = 3;
