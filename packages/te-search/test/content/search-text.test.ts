import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Search, TextFound, TextQuery } from "../../src/index.js";
import { makeDesk, QUERY } from "./desk.js";
import { ENGINES } from "./engines.js";

const TIME = { deadlineMs: 60_000 };

function searched(search: Search, text: string, query: Pick<TextQuery, "pattern"> & Partial<TextQuery>) {
  return search.text({ name: "kept", bytes: Buffer.from(text) }, { ...QUERY, ...query }, TIME);
}

function places({ files }: Pick<TextFound, "files">): unknown[] {
  return files.flatMap(({ hits }) =>
    hits.map(({ line, column, text, offset, spans }) => [line, column, text, offset, spans]),
  );
}

describe.for(ENGINES)("$name", ({ setup }) => {
  test("a text that is held has the hits of a file with that text", { timeout: 120_000 }, async () => {
    const { root, search } = await makeDesk({}, setup());
    const line = fc.stringMatching(/^[ab.(é\t0-9]{0,12}$/);
    const pattern = fc.constantFrom("a", "a+b", "é", "\\d{2,}", "^$", "a(b|\\.)", "b.", "[^a]b");
    const lines = fc.array(line, { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lines, pattern, fc.boolean(), fc.boolean(), async (made, wanted, ignoreCase, ends) => {
        const text = made.join("\n") + (ends ? "\n" : "");
        writeFileSync(join(root, "f"), text);
        const query = { pattern: wanted, ignoreCase };
        const inFile = await search.content({ ...QUERY, ...query, root: join(root, "f") }, TIME);
        const held = await searched(search, text, query);
        expect(places(held)).toEqual(places(inFile));
        expect([held.total, held.kept, held.exact]).toEqual([inFile.total, inFile.kept, true]);
        expect(held.files.every(({ path }) => path === "kept")).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test("what is not a regular expression is refused with the reason; as text it is found", async () => {
    const { search } = await makeDesk({}, setup());
    await expect(searched(search, "x(\n", { pattern: "x(" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      remedy: { id: "search-as-text", problem: expect.any(String) },
    });
    expect((await searched(search, "x(\n", { pattern: "x(", literal: true })).total).toBe(1);
  });

  test("files are counted and named as of a search in files, and nothing but the text is searched", async () => {
    const { root, search } = await makeDesk({ f: "needle\n" }, setup());
    expect(await searched(search, "none\n", { pattern: "needle" })).toMatchObject({ total: 0, files: [] });
    expect(await searched(search, `${root}/f\n`, { pattern: "needle" })).toMatchObject({ total: 0 });
    expect(await searched(search, "a\na\n", { pattern: "a", mode: "files" })).toMatchObject({ total: 1 });
    const counted = await searched(search, "a\nb\na\n", { pattern: "a", mode: "count" });
    expect([counted.total, counted.files[0]?.count]).toEqual([2, 2]);
  });

  test("a hostile pattern ends, a bound is told, a cancelled search ends as such", async () => {
    const { search } = await makeDesk({}, setup());
    const hostile = await searched(search, `${"a".repeat(200)}!\n`, { pattern: "(a+)+$" });
    expect(hostile.total === 0 || hostile.exact).toBe(true);
    expect(await searched(search, "a\n".repeat(500), { pattern: "a", maxScanHits: 100 })).toMatchObject({
      total: 100,
      exact: false,
      endedBy: "scan bound",
    });
    const signal = AbortSignal.abort();
    const cancelled = search.text(
      { name: "kept", bytes: Buffer.from("a\n") },
      { ...QUERY, pattern: "a" },
      { ...TIME, signal },
    );
    await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
  });
});
