import { expect, test } from "vitest";
import { renderUsage } from "../../../../src/tools/fs/listing/usage.js";

const row = (path: string, disk_bytes: number) => ({ path: `/r/${path}`, type: "dir" as const, disk_bytes });

test("a measure that ran out of time says how much it counted", () => {
  const entries = [row("a", 3 * 1024 ** 3), { ...row("mnt", 0), error: "another file system" }];
  const counted = { path: "/r", entries, total_entries: 40, disk_bytes: 5 * 1024 ** 3, counted_entries: 1_200_000 };
  expect(renderUsage({ ...counted, folders_not_entered: 7, folders_not_read: 2 }, { max_entries: 500 })).toBe(
    `[/r · time was up: at least 5.0G on disk in 1,200,000 entries, and the sizes below are too low; name a folder below · 2 not counted: no permission]
3.0G a/
mnt/ (another file system)
…and 38 smaller; list a folder itself for more.`,
  );
});

test("the text has the largest thirty, or fewer where fewer are asked for", () => {
  const entries = Array.from({ length: 100 }, (_, nth) => row(`d${nth}`, 1e6 - nth));
  const lines = (max_entries: number) =>
    renderUsage({ path: "/r", entries, total_entries: 100 }, { max_entries }).split("\n");
  expect([lines(500).length, lines(500).at(-1)]).toEqual([32, "…and 70 smaller; list a folder itself for more."]);
  expect(lines(3).length).toBe(5);
});
