import { expect, test } from "vitest";
import type { ContentResult } from "../../../../src/tools/search/content/content-result.js";
import { renderContent as render, type TextArgs } from "../../../../src/tools/search/content/render-content.js";

const LINES = { mode: "lines", max_results: 100 } as const;

function renderContent(content: ContentResult, { mode }: Pick<TextArgs, "mode">): string {
  return render(content, { mode, max_results: 100 }, new Set());
}

function result(more: Partial<ContentResult>): ContentResult {
  return { hits: [], total_hits: 0, truncated: false, handle: null, root: "/r", files: 0, ...more };
}

test("hits stand below the path of their file, with the lines around them", () => {
  const hits = [
    { path: "/r/src/a.ts", line: 12, first_line: 11, snippet: "a\nhit\nb" },
    { path: "/r/src/a.ts", line: 14, snippet: "hit\nc" },
    { path: "/r/src/a.ts", line: 40, first_line: 39, snippet: "d\nhit" },
    { path: "/r/b.ts", line: 1, snippet: "hit" },
  ];
  expect(renderContent(result({ hits, total_hits: 4, files: 2 }), LINES)).toBe(`[/r · 4 hits in 2 files]
src/a.ts
11- a
12: hit
13- b
14: hit
15- c
--
39- d
40: hit
b.ts
1: hit`);
});

test("lines without anything around them need no marks of gaps", () => {
  const hits = [1, 9].map((line) => ({ path: "/r/a.ts", line, snippet: "hit" }));
  expect(renderContent(result({ hits, total_hits: 2, files: 1 }), LINES)).toBe(
    "[/r · 2 hits in 1 file]\na.ts\n1: hit\n9: hit",
  );
});

test("of a file that is searched alone the header has the path", () => {
  const hits = [{ path: "/r/a.ts", line: 1, snippet: "hit" }];
  expect(renderContent(result({ root: "/r/a.ts", hits, total_hits: 1, files: 1 }), LINES)).toBe(
    "[/r/a.ts · 1 hit]\n1: hit",
  );
});

test("what is cut, where the rest is and how to get it are said once", () => {
  const text = renderContent(
    result({
      hits: [{ path: "/r/a.ts", line: 1, snippet: "hit" }],
      total_hits: 1234,
      files: 33,
      truncated: true,
      handle: "H_1",
      more: [
        { path: "/r/a.ts", hits: 1200 },
        { path: "/r/12: b", hits: 2 },
      ],
      more_files: 31,
      left_out: { ignored: 5000, hidden: 2, binary: 1, unreadable: 3, at_least: true },
      engine: "grep 3.8",
    }),
    LINES,
  );
  expect(text).toBe(
    `[/r · 1 of 1,234 hits in 33 files · left out: at least 5,000 ignored, 2 hidden, 1 binary, 3 unreadable · grep 3.8 · more: file_glob, mode="files", max_results · all: h264424]
a.ts
1: hit
…and in a.ts 1,200, "12: b" 2, 31 more files`,
  );
});

test("a bound and a deadline are told; so is that no handle could hold all", () => {
  const hits = [{ path: "/r/a.ts", line: 1, snippet: "hit" }];
  const found = { hits, total_hits: 100_000, files: 2, truncated: true, lower_bound: true } as const;
  expect(renderContent(result({ ...found, ended_by: "scan bound" }), LINES)).toBe(
    `[/r · 1 of at least 100,000 hits in 2 files · stopped at search.max_scan_hits · more: file_glob, mode="files", max_results · too many for a handle]
a.ts
1: hit`,
  );
  expect(renderContent(result({ ...found, total_hits: 1, files: 1, ended_by: "deadline" }), LINES)).toBe(
    "[/r · at least 1 hit in 1 file · time was up]\na.ts\n1: hit",
  );
});

test("nothing found says what was left out, how to have it, and what would find something", () => {
  const left_out = { ignored: 3, hidden: 2, binary: 1, changed: 1 };
  expect(renderContent(result({ left_out, hint: "literal=true finds it." }), LINES)).toBe(
    `[/r · no hits · left out: 3 ignored (searched when named as root), 2 hidden (include_hidden=true), 1 binary (grep -a), 1 hit gone meanwhile]
literal=true finds it.`,
  );
});

test("nothing found is not said of what was not searched", () => {
  expect(renderContent(result({ lower_bound: true }), LINES)).toBe("[/r · no hits in what was searched]");
});

test("files only, and counts", () => {
  const one = { line: 0, snippet: "" };
  const hits = [
    { path: "/r/a.ts", ...one },
    { path: "/r/src/b.ts", ...one },
  ];
  expect(renderContent(result({ hits, total_hits: 2, files: 2 }), { mode: "files" })).toBe(
    "[/r · 2 files]\na.ts\nsrc/b.ts",
  );
  expect(
    renderContent(result({ hits, total_hits: 9, files: 9, truncated: true, handle: "H_1" }), { mode: "files" }),
  ).toBe("[/r · 2 of 9 files · more: file_glob, max_results · all: h264424]\na.ts\nsrc/b.ts");
  const counts = hits.map((hit, index) => ({ ...hit, count: 1500 - index }));
  expect(renderContent(result({ hits: counts, total_hits: 2999, files: 2 }), { mode: "count" })).toBe(
    "[/r · 2,999 hits in 2 files]\na.ts: 1,500\nsrc/b.ts: 1,499",
  );
});

test("a long line is marked with the column of its match, an odd name stands in quotes", () => {
  const hits = [{ path: "/r/a\nb", line: 7, column: 1034, snippet: "…hit…[+9 chars]" }];
  expect(renderContent(result({ hits, total_hits: 1, files: 1 }), LINES)).toBe(
    '[/r · 1 hit in 1 file]\n"a\\nb"\n7:1034: …hit…[+9 chars]',
  );
});
