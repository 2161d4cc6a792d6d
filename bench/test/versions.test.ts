import { expect, test } from "vitest";
import { diffOf, oneEdit, tenHunks, tenKilobytes } from "../src/measure/versions.js";

test("a diff has a hunk of seven lines for each line that differs, and fewer at the ends", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const changed = lines.with(0, "first").with(9, "tenth");
  expect(diffOf("a.txt", lines, changed)).toBe(
    [
      ...["--- a/a.txt", "+++ b/a.txt"],
      ...["@@ -1,4 +1,4 @@", "-line 1", "+first", " line 2", " line 3", " line 4"],
      ...["@@ -7,7 +7,7 @@", " line 7", " line 8", " line 9", "-line 10", "+tenth", " line 11", " line 12", " line 13"],
      "",
    ].join("\n"),
  );
});

test("an edit makes each content of the other one", () => {
  const { contents, changes } = oneEdit();
  const made = changes.map(({ oldText, newText }, turn) => (contents[1 - turn] ?? "").replace(oldText, newText));
  expect(made).toEqual([...contents]);
  expect(changes.map(({ content }) => content)).toEqual([...contents]);
});

test("what is patched is just below the size up to which a file is patched", () => {
  const sizes = [oneEdit(), tenHunks("a.txt")].flatMap(({ contents }) => contents.map((content) => content.length));
  expect(sizes.every((size) => size > 1.9 * 2 ** 20 && size <= 2 * 2 ** 20)).toBe(true);
});

test("ten hunks are ten, in both directions", () => {
  expect(tenHunks("a.txt").changes.map(({ diff }) => diff.match(/^@@ /gm)?.length)).toEqual([10, 10]);
});

test("ten kilobytes are about that, twice, and differ", () => {
  const [one, other] = tenKilobytes().contents;
  expect([one === other, [one, other].every(({ length }) => length > 9_000 && length < 11_000)]).toEqual([false, true]);
});
