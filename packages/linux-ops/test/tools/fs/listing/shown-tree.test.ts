import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { DEFAULT_BUDGET } from "../../../../src/answer/budget.js";
import type { Entry } from "../../../../src/tools/fs/listing/entry.js";
import { layOut } from "../../../../src/tools/fs/listing/shown-tree.js";

function files(folder: string, count: number, name = "file"): Entry[] {
  return Array.from({ length: count }, (_, nth) => ({
    path: `/r/${folder}${name}${nth}`,
    type: "file",
    size_bytes: 9,
  }));
}

const dir = (path: string, more: Partial<Entry> = {}): Entry => ({ path: `/r/${path}`, type: "dir", ...more });
const room = { tokens: 1e6, bytes: 1e6 };

test("where not all fits small folders are opened first, and the others count what they hold", () => {
  const entries = [
    dir("big"),
    dir("mid"),
    dir("small"),
    ...files("big/", 25),
    ...files("mid/", 20),
    ...files("small/", 2),
  ];
  const { lines, count, folded } = layOut("/r", entries, {
    budget: { tokens: 1e6, bytes: 290 },
    opened: 30,
    sizes: false,
  });
  expect(lines.filter((line) => !line.startsWith("  "))).toEqual(["big/ — 25 entries", "mid/", "small/"]);
  expect([count, folded]).toEqual([25, 25]);
});

test("a folder counts what its entries hold and what the answer leaves out", () => {
  const entries = [dir("a"), dir("a/b", { folded_entries: 7 }), ...files("a/", 31)];
  expect(layOut("/r", entries, { budget: room, opened: 30, sizes: false })).toEqual({
    lines: ["a/ — 39 entries"],
    count: 1,
    folded: 39,
  });
});

test("of the listed folder the first lines that the budget holds are shown", () => {
  const entries = files("", 5000, "a-name-of-some-length-");
  const { lines, count, folded } = layOut("/r", entries, { budget: DEFAULT_BUDGET, opened: 30, sizes: true });
  expect(countTokens(lines.join("\n"))).toBeLessThan(6000);
  expect([count, folded, lines.length > 300]).toEqual([lines.length, 0, true]);
});
