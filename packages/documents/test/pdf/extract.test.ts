import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "@llmc/te-run";
import { afterAll, describe, expect, test } from "vitest";
import {
  extractPages,
  MAX_PAGES,
  MAX_TEXT_BYTES,
  unpdfProgram,
  type Extraction,
  type ReaderProgram,
} from "../../src/index.js";
import { locked, pdf } from "../compose-pdf.js";

const folder = mkdtempSync(join(tmpdir(), "pdftotext-"));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;

/** Program that replaces pdftotext. */
function script(lines: string): string {
  const path = join(folder, `program-${(made += 1)}`);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

function extract(program: string | ReaderProgram, more: Partial<Extraction> = {}): Promise<Buffer[]> {
  return extractPages({
    path: "/srv/a.pdf",
    bytes: Buffer.from("the bytes"),
    range: { first: 1, last: undefined },
    program: typeof program === "string" ? { name: "pdftotext", argv: [program], limit: "as" } : program,
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    ...more,
  });
}

const texts = async (pages: Promise<Buffer[]>) => (await pages).map(String);

describe("the program", () => {
  test("gets the bytes and no path, and is asked for the pages that are wanted", async () => {
    const echo = script(`cat; printf '\\f%s\\f' "$*"`);
    expect(await texts(extract(echo, { range: { first: 2, last: 5 } }))).toEqual([
      "the bytes",
      "-enc UTF-8 -eol unix -f 2 -l 5 - -",
    ]);
  });

  test("is asked for one page more than may be, never for more", async () => {
    const echo = script(`printf '%s\\f' "$*"`);
    for (const last of [undefined, 999_999]) {
      expect(await texts(extract(echo, { range: { first: 3, last } }))).toEqual([
        `-enc UTF-8 -eol unix -f 3 -l ${3 + MAX_PAGES} - -`,
      ]);
    }
  });

  test("can write no file and has a bounded memory", async ({ skip }) => {
    skip((await findProgram("prlimit")) === null, "prlimit is not installed here");
    const limits = script(`ulimit -f; ulimit -v; ulimit -c; printf '\\f'`);
    expect(await texts(extract(limits))).toEqual(["0\n1048576\n0\n"]);
  });

  test("is ended with all it started when the caller gives up", async () => {
    const fifo = join(folder, "started");
    execFileSync("mkfifo", [fifo]);
    const abort = new AbortController();
    const running = extract(script(`echo $$ > ${fifo}; exec sleep 600`), { signal: abort.signal });
    const pid = (await readFile(fifo, "utf8")).trim();
    abort.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    await expect(readFile(`/proc/${pid}/stat`)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("that takes too long is ended, and the hint asks for less", async () => {
    await expect(extract(script("exec sleep 600"), { timeoutMs: 200 })).rejects.toMatchObject({
      code: "TIMEOUT",
      message: "Reading the text of /srv/a.pdf did not finish within 0.2 s",
      remedy: { id: "fewer-pages", first: 1, last: 20 },
    });
  });
});

describe("what it answers", () => {
  test("beyond the text that is kept is too large, and it is not waited for", async () => {
    const endless = script(`yes ${"x".repeat(1000)}`);
    await expect(extract(endless)).rejects.toMatchObject({
      code: "OUTPUT_TOO_LARGE",
      message: `/srv/a.pdf is too large: it has more than ${MAX_TEXT_BYTES} bytes of text`,
      remedy: { id: "fewer-pages", first: 1, last: 50 },
    });
  });

  test("with more pages than are kept is too large, and the hint has as many as are", async () => {
    const pages = (count: number) => script(`head -c ${count} /dev/zero | tr '\\0' '\\f'`);
    expect(await extract(pages(MAX_PAGES))).toHaveLength(MAX_PAGES);
    const range = { first: 11, last: undefined };
    await expect(extract(pages(MAX_PAGES + 1), { range })).rejects.toMatchObject({
      code: "OUTPUT_TOO_LARGE",
      message: `/srv/a.pdf is too large: it has more than ${MAX_PAGES} pages`,
      remedy: { id: "fewer-pages", first: 11, last: 10 + MAX_PAGES },
    });
  });

  test("is counted no further than to what is too many: a small file can have millions of empty pages", async () => {
    const pages = script(`head -c ${MAX_TEXT_BYTES} /dev/zero | tr '\\0' '\\f'`);
    const before = process.memoryUsage().rss;
    await expect(extract(pages)).rejects.toMatchObject({ code: "OUTPUT_TOO_LARGE" });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
  });

  test.for([
    ["echo 'Command Line Error: Incorrect password' >&2; exit 1", "PDF document that needs a password"],
    [
      "echo 'Error: Copying of text from this document is not allowed.' >&2; exit 3",
      "PDF document that forbids copying its text",
    ],
    ["echo 'Syntax Error: whatever' >&2; exit 1", "PDF document that pdftotext cannot read"],
    ["kill -ABRT $$", "PDF document that pdftotext cannot read"],
  ] as const)("by %s is told without repeating what the file made it say", async ([lines, kind]) => {
    await expect(extract(script(lines))).rejects.toMatchObject({
      code: "UNSUPPORTED_CONTENT",
      message: `/srv/a.pdf is binary (${kind}, 9 bytes)`,
      remedy: { id: "look-by-command" },
    });
  });
});

const unpdf = unpdfProgram();
const pdftotext = await findProgram("pdftotext");

describe.for([
  ["pdftotext", pdftotext, "\n\n"],
  ["unpdf", unpdf, ""],
] as const)("the real %s", ([name, program, end]) => {
  const absent = [program === null, `${name} is not installed here`] as const;
  const bytes = pdf([["Hello"], [], ["Page three", "ends"]]);
  const extracted = (more: Partial<Extraction>) => extract(program ?? "", more);

  test("gives each page, also one without text", async ({ skip }) => {
    skip(...absent);
    expect(await texts(extracted({ bytes }))).toEqual([`Hello${end}`, "", `Page three\nends${end}`]);
    expect(await texts(extracted({ bytes, range: { first: 3, last: 9 } }))).toEqual([`Page three\nends${end}`]);
  });

  test("is understood when there is no such page", async ({ skip }) => {
    skip(...absent);
    await expect(extracted({ bytes, range: { first: 9, last: 12 } })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "/srv/a.pdf has no page 9",
      hint: "Its last page is 3.",
    });
  });

  test("refuses what is not a PDF", async ({ skip }) => {
    skip(...absent);
    const broken = Buffer.from("%PDF-1.4 is a header");
    await expect(extracted({ bytes: broken })).rejects.toMatchObject({ code: "UNSUPPORTED_CONTENT" });
  });

  test("says that a password is needed where it is", async ({ skip }) => {
    skip(...absent);
    await expect(extracted({ bytes: locked("secret") })).rejects.toMatchObject({
      message: expect.stringMatching(/^\/srv\/a\.pdf is binary \(PDF document that needs a password, /) as string,
    });
    expect(await texts(extracted({ bytes: locked("") }))).toHaveLength(1);
  });

  test("is ended at its deadline, and when the call is cancelled", async ({ skip }) => {
    skip(...absent);
    const large = pdf(Array.from({ length: 3000 }, () => Array.from({ length: 40 }, () => "some words on a line")));
    await expect(extracted({ bytes: large, timeoutMs: 1 })).rejects.toMatchObject({ code: "TIMEOUT" });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(extracted({ bytes: large, signal })).rejects.toThrow("enough");
  });
});
