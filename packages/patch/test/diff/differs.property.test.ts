import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { patch, type Files } from "./memory.js";
import { freshFolder, GIT_DIFF, GNU_DIFF, writeTree } from "./programs.js";

// Few different lines, so that hunks have more than one place; and whole characters, since a diff is a text.
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("", "}", "a", "b", "  c", "\td", "e ", "-x", "+y", "@@", "--- a", "+++ b", "é€", "\\ z"),
  },
  {
    weight: 3,
    arbitrary: fc.string({ maxLength: 12, unit: "grapheme" }).map((text) => text.replaceAll(/[\n\r\0]/g, "_")),
  },
);
type Lines = readonly (readonly [string, string])[];

interface Edit {
  readonly at: number;
  readonly out: number;
  readonly into: Lines;
}
function pairs(ends: fc.Arbitrary<string>) {
  const lines = (maxLength: number): fc.Arbitrary<Lines> => fc.array(fc.tuple(line, ends), { maxLength });
  const edit: fc.Arbitrary<Edit> = fc.record({ at: fc.nat(40), out: fc.nat(3), into: lines(3) });
  const open = fc.tuple(fc.boolean(), fc.boolean());
  return fc
    .record({ before: lines(40), edits: fc.array(edit, { maxLength: 4 }), open })
    .map(({ before, edits, open }) => {
      const after = [...before];
      for (const { at, out, into } of edits) after.splice(at, out, ...into);
      return { before: bytesOf(before, open[0]), after: bytesOf(after, open[1]) };
    });
}

function bytesOf(all: Lines, open: boolean): Buffer {
  const text = all.map(([text, end]) => text + end).join("");
  return Buffer.from(open ? text.replace(/\r?\n$/, "") : text);
}

const NAMES = ["plain", "with space", "tab\there", 'quo"te', "ünï", "deep/er/x"];
const name = (index: number): string => `${NAMES[index % NAMES.length] ?? ""}${index}`;

for (const differ of [GNU_DIFF, GIT_DIFF]) {
  describe.runIf(differ.present)(`diffs of ${differ.name}`, () => {
    for (const context of [3, 1, 0]) {
      // Without context nothing tells whether a file of CRLF lines is to get one with LF.
      const pair = pairs(context === 0 ? fc.constant("\n") : fc.constantFrom("\n", "\n", "\n", "\r\n"));

      test(`what it makes of random edits, with ${context} lines of context, gives the new texts to the byte`, async () => {
        const folder = freshFolder();
        const run = fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 40 }), async (pairs) => {
          const before = new Map(pairs.map((one, index) => [name(index), one.before]));
          const after = new Map(pairs.map((one, index) => [name(index), one.after]));
          writeTree(`${folder}/a`, before);
          writeTree(`${folder}/b`, after);
          const diff = differ.diff(folder, context);
          if (diff === "") return;
          const files = await patch(before, diff).then(
            (done) => (context === 0 && done.notes.length > 0 ? undefined : done.files),
            unlessRepeated,
          );
          if (files !== undefined) expect(shown(files)).toEqual(shown(after));
        });
        await fc.assert(run, { numRuns: 15 });
      });
    }
  });
}

/** Without context nothing tells lines that a file is to begin with once more from those that it begins with already. */
function unlessRepeated(thrown: unknown): undefined {
  const { details } = thrown as { details?: { failed: readonly { header: string; reason: string }[] } };
  const isRepeated = details?.failed.every(
    ({ header, reason }) => header.startsWith("@@ -0,0 ") && reason === "applied",
  );
  if (isRepeated !== true) throw thrown;
}

function shown(files: Files): object {
  return Object.fromEntries([...files].map(([path, content]) => [path, content.toString("latin1")]));
}
