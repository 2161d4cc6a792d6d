import { chmodSync, writeFileSync } from "node:fs";
import { stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { settingsOf } from "@llmc/config";
import { unpdfProgram, type ReaderProgram } from "@llmc/documents";
import { createHandleStore, openDatabase } from "@llmc/handles";
import { createLineIndexCache, openFiles } from "@llmc/te-fs";
import { describe, expect } from "vitest";
import type { LinuxOpsContext } from "../../../src/context/context.js";
import { LARGEST_BUDGET } from "../../../src/answer/budget.js";
import { readPdf } from "../../../src/tools/fs/reading/pdf/read-pdf.js";
import { openReaders } from "../../../src/tools/fs/reading/open-readers.js";
import type { Wanted } from "../../../src/tools/fs/reading/reading.js";
import { readText } from "../../../src/tools/fs/reading/text.js";
import { test, textOf } from "../../helpers.js";
import { callWith } from "./reading/call-with.js";
import { pdf } from "../../../../documents/test/compose-pdf.js";

const name = "linux.fs_read";

/** A stand-in that takes what is behind the first line for the text, pages between form feeds; it counts its runs. */
function standIn(root: string, program = "tail -n +2") {
  const path = join(root, "stand-in");
  writeFileSync(path, `#!/bin/sh\nexec ${program}\n`);
  chmodSync(path, 0o755);
  const counted = { runs: 0, turns: 0 };
  return {
    counted,
    readers: {
      pdf: async (): Promise<ReaderProgram> => ((counted.runs += 1), { name: "stand-in", argv: [path], limit: "as" }),
      turns: { take: <T>(work: () => Promise<T>) => ((counted.turns += 1), work()) },
    },
  };
}

const fake = (...pages: string[]) => `%PDF-1.7\n${pages.map((page) => `${page}\f`).join("")}`;
const lines = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`).join("");

/** Until the file's times are old enough to prove that it is unchanged: a clock cannot be set back on a real file. */
async function settled(path: string): Promise<void> {
  const { ctimeMs } = await stat(path);
  while (Date.now() < ctimeMs + 2100) await new Promise((resolve) => setTimeout(resolve, 100));
}

describe("the text of a PDF", () => {
  test("comes by page, whatever the file is called", async ({ root }) => {
    const path = join(root, "report.txt");
    await writeFile(path, fake("one\ntwo\n\n", "", "three"));
    const { payload, text, parted } = await callWith(root, { path }, standIn(root));
    const content = "[page 1]\none\ntwo\n[page 2, no text]\n[page 3]\nthree\n";
    expect(payload).toEqual({
      content,
      handle: null,
      meta: { path, total_lines: 6, truncated: false, pages: "1-3" },
    });
    expect([text(), parted()]).toEqual([`[${path} · PDF, pages 1-3 · 6 lines]\n${content}`, null]);
  });

  test("is sliced by lines like a file, and all of it is behind the handle", async ({ root }) => {
    const path = join(root, "long.pdf");
    await writeFile(path, fake(lines(150, "a"), lines(150, "b")));
    const { readers } = standIn(root);
    const all = `[page 1]\n${lines(150, "a")}[page 2]\n${lines(150, "b")}`;
    expect((await callWith(root, { path }, { readers })).payload).toMatchObject({
      content: all
        .split(/(?<=\n)/)
        .slice(0, 200)
        .join(""),
      handle: expect.stringMatching(/^H_file_content_/),
      meta: {
        total_lines: 302,
        truncated: true,
        first_line: 1,
        returned_lines: 200,
        next_offset_lines: 200,
        pages: "1-2",
      },
    });
    for (const [args, first, count] of [
      [{ path, offset_lines: 150, max_lines: 3 }, 151, 3],
      [{ path, tail_lines: 4 }, 299, 4],
      [{ path: `${path}#L151-L152` }, 151, 2],
    ] as const) {
      const { payload } = await callWith(root, args, { readers });
      const wanted = all
        .split(/(?<=\n)/)
        .slice(first - 1, first - 1 + count)
        .join("");
      expect([payload["content"], payload["meta"]]).toMatchObject([
        wanted,
        { first_line: first, returned_lines: count },
      ]);
    }
  });

  test("of some pages is that of those alone, with pdftotext or without", async ({ root }) => {
    const path = join(root, "a.pdf");
    await writeFile(path, pdf([["one"], ["two"], ["three"]]));
    for (const [pages, content, shown] of [
      ["2", "[page 2]\ntwo\n", "2"],
      ["2-", "[page 2]\ntwo\n[page 3]\nthree\n", "2-3"],
      ["3-99", "[page 3]\nthree\n", "3"],
    ] as const) {
      for (const readers of [{}, { pdf: async () => unpdfProgram() }]) {
        const { payload } = await callWith(root, { path, pages }, { readers });
        expect(payload).toMatchObject({ content, handle: null, meta: { pages: shown } });
      }
    }
  });

  test("keeps to what an answer may cost", async ({ root }) => {
    await writeFile(join(root, "a.pdf"), fake("word ".repeat(18).trim().concat("\n").repeat(1000)));
    const { payload } = await callWith(root, { path: "a.pdf" }, standIn(root));
    expect((payload["content"] as string).length).toBeLessThan(20_000);
    expect(payload["meta"]).toMatchObject({
      total_lines: 1001,
      truncated: true,
      next_offset_lines: expect.any(Number),
    });
  });

  test("is taken out in its turn: not many files are held in memory at once", async ({ root }) => {
    await writeFile(join(root, "a.pdf"), fake("x"));
    const { readers, counted } = standIn(root);
    await callWith(root, { paths: ["a.pdf", "a.pdf"] }, { readers });
    expect(counted).toEqual({ runs: 2, turns: 2 });
  });

  test("comes beside other files, each with its own error", async ({ root }) => {
    await writeFile(join(root, "a.pdf"), fake("x"));
    await writeFile(join(root, "scan.pdf"), fake("", " \n"));
    await writeFile(join(root, "b.txt"), "y\n");
    const { text } = await callWith(root, { paths: ["a.pdf", "scan.pdf", "b.txt"] }, standIn(root));
    expect(text()).toBe(
      [
        `[a.pdf · PDF, page 1 · 2 lines]\n[page 1]\nx\n`,
        `[scan.pdf · UNSUPPORTED_CONTENT: ${root}/scan.pdf is binary (PDF document, no text on page 1-2, 13 bytes)]\n` +
          "Hint: Scanned pages need OCR first, for example by ocrmypdf.",
        `[b.txt · 1 line]\ny\n`,
      ].join("\n"),
    );
  });
});

describe("a PDF that is read again", () => {
  async function contextIn(root: string, pdf: () => Promise<ReaderProgram>): Promise<LinuxOpsContext> {
    const store = createHandleStore(await openDatabase({ dataDir: null, warn: () => {} }), {
      limits: { maxTotalBytes: 1e8, maxPayloadBytes: 1e7, maxAgeHours: 1 },
    });
    const { mcp } = settingsOf({ roots: [root] });
    return {
      mcp,
      files: openFiles({ roots: [root], home: root }),
      lineIndex: createLineIndexCache({ maxFiles: 1 }),
      handles: async () => store,
      readers: { ...openReaders(), pdf },
      session: { id: "s", agentId: "a", model: "m", token: "t", owner: "o" },
      signal: new AbortController().signal,
    } as Partial<LinuxOpsContext> as LinuxOpsContext;
  }

  const wanted = { offsetLines: 0, maxLines: 2, tailLines: undefined, pages: undefined, budget: LARGEST_BUDGET };

  test("unchanged is not taken apart again, and keeps its handle; its own bytes are another one's", async ({
    root,
  }) => {
    const path = join(root, "a.pdf");
    const long = join(root, "long.pdf");
    await writeFile(path, fake("one\ntwo", "three"));
    await writeFile(long, fake(lines(400_000, "many words")));
    await settled(long);
    const { readers, counted } = standIn(root);
    const context = await contextIn(root, readers.pdf);
    const { files, handles } = context;
    const read = async (more: Partial<Wanted> = {}, which = path) => {
      await using file = await files.open(which);
      return await readPdf(file, { ...wanted, ...more }, context);
    };
    const data = async (handle: string | null) =>
      String((await (await handles()).readSlice("o", handle ?? "", 0, 999)).data);
    const all = "[page 1]\none\ntwo\n[page 2]\nthree\n";

    await using file = await files.open(path);
    const raw = await readText(file, { ...wanted, maxLines: 1 }, context);
    // The text of a page must not become that of the file.
    const part = await read({ pages: "2", maxLines: 1 });
    const first = await read();
    expect([await data(raw.handle), await data(first.handle)]).toEqual([fake("one\ntwo", "three"), all]);
    expect([part.handle === first.handle, counted.runs]).toEqual([false, 2]);

    const next = await read({ offsetLines: 2 });
    expect([next.content, next.handle, next.meta]).toEqual([
      "two\n[page 2]\n",
      first.handle,
      { ...next.meta, total_lines: 5, pages: "1-2" },
    ]);
    expect((await read({ maxLines: 99 })).content).toBe(all);
    expect([counted.runs, (await (await handles()).list("o", { limit: 9 })).length]).toEqual([2, 3]);
    // The stand-in knows nothing of pages; that it was asked is what counts.
    expect([(await read({ pages: "2" })).content, counted.runs]).toEqual(["[page 2]\none\n", 3]);

    const ends = { tailLines: 1, maxLines: 1 };
    const [cut, again] = [await read(ends, long), await read(ends, long)];
    expect([cut.content, cut.meta.total_lines, counted.runs]).toEqual(["many words 400000\n", 400_001, 4]);
    expect(again).toEqual(cut);

    await writeFile(path, fake("changed"));
    expect([(await read()).content, counted.runs]).toEqual(["[page 1]\nchanged\n", 5]);
    files.close();
  });

  test("whose text was dropped meanwhile is taken apart again", async ({ root }) => {
    const path = join(root, "a.pdf");
    await writeFile(path, fake("one\ntwo"));
    const { readers, counted } = standIn(root);
    const context = await contextIn(root, readers.pdf);
    const read = async () => {
      await using file = await context.files.open(path);
      return await readPdf(file, wanted, context);
    };
    const { handle } = await read();
    const store = await context.handles();
    const found = await store.get("o", handle ?? "");
    await store.delete("o", handle ?? "");
    // As if it had gone between the two questions.
    const racing = { ...store, findBySource: async () => found, readSlice: store.readSlice, create: store.create };
    const late = { ...context, handles: async () => racing };
    await using file = await context.files.open(path);
    expect((await readPdf(file, wanted, late)).content).toBe("[page 1]\none\n");
    expect(counted.runs).toBe(2);
    context.files.close();
  });
});

describe("a PDF that is refused", () => {
  test("where nothing reads it says what to install; its bytes can be had all the same", async ({ root }) => {
    const path = join(root, "a.pdf");
    await writeFile(path, fake("x"));
    const missing = { readers: { pdf: async () => null } };
    await expect(callWith(root, { path }, missing)).rejects.toMatchObject({
      code: "UNSUPPORTED_CONTENT",
      message: `${path} is binary (PDF document, 11 bytes)`,
      hint: "The operator can install the npm package unpdf, or poppler-utils, which has pdftotext.",
    });
    const { payload } = await callWith(root, { path, encoding: "base64" }, missing);
    expect(Buffer.from(payload["content"] as string, "base64").toString()).toBe(fake("x"));
  });

  test("without text on the pages asked for names them", async ({ root, ops }) => {
    const path = join(root, "a.pdf");
    const bytes = pdf([["one"], [], []]);
    await writeFile(path, bytes);
    await expect(ops.call(name, { path, pages: "2-3" })).rejects.toMatchObject({
      code: "UNSUPPORTED_CONTENT",
      message: `${path} is binary (PDF document, no text on page 2-3, ${bytes.length} bytes)`,
    });
  });

  test("because it is too large to be held is not read at all", async ({ root }) => {
    const path = join(root, "a.pdf");
    await writeFile(path, fake("x"));
    await truncate(path, 32 * 1024 * 1024 + 1);
    await expect(callWith(root, { path }, standIn(root, "false"))).rejects.toMatchObject({
      code: "OUTPUT_TOO_LARGE",
      message: `${path} is too large to be read as text (PDF document, 33554433 bytes)`,
      hint: "PDFs of up to 33554432 bytes can be: split it, for example by qpdf.",
    });
  });

  test("after half of a call's time names itself", async ({ root }) => {
    await writeFile(join(root, "a.pdf"), fake("x"));
    const setting = { ...standIn(root, "sleep 600"), mcp: { tools: { read_timeout: 2 } } };
    await expect(callWith(root, { path: "a.pdf" }, setting)).rejects.toMatchObject({
      code: "TIMEOUT",
      message: `Reading the text of ${root}/a.pdf did not finish within 1 s`,
    });
  });

  test("when the call is cancelled is not waited for", async ({ root }) => {
    await writeFile(join(root, "a.pdf"), fake("x"));
    const abort = new AbortController();
    const { readers } = standIn(root, "sleep 600");
    const program = () => (abort.abort(), readers.pdf());
    const call = callWith(root, { path: "a.pdf" }, { readers: { pdf: program }, signal: abort.signal });
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
  });
});

describe("pages", () => {
  test("go with no other file, and not with base64", async ({ root, ops }) => {
    await writeFile(join(root, "a.txt"), "x\n");
    await expect(ops.call(name, { path: "a.txt", pages: "1" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: `linux.fs_read: pages does not go with ${root}/a.txt, which is not a PDF`,
      hint: "Leave out pages.",
    });
    await expect(ops.call(name, { path: "a.txt", pages: "1", encoding: "base64" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: 'linux.fs_read: pages does not go with encoding "base64"',
    });
  });

  test("are listed, because hints name them", async ({ root, ops }) => {
    const [tool] = ops.tools;
    expect(Object.keys(tool?.inputSchema["properties"] as object)).toContain("pages");
    await writeFile(join(root, "a.txt"), "x\n");
    expect(await textOf(root, name, { path: "a.txt" })).toBe(`[a.txt · 1 line]\nx\n`);
  });
});
