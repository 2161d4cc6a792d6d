import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { patch, type Files } from "./memory.js";
import { freshFolder, GNU_DIFF, writeTree } from "./programs.js";

// Each line is different from all others, or blank: a hunk that has a line of text has one place only.
interface Edit {
  readonly at: number;
  readonly out: number;
  readonly into: number;
}
interface Sample {
  readonly before: Buffer;
  readonly after: Buffer;
}
const edit: fc.Arbitrary<Edit> = fc.record({ at: fc.nat(60), out: fc.nat(2), into: fc.nat(3) });
const sample: fc.Arbitrary<Sample> = fc
  .record({
    blank: fc.array(fc.boolean(), { minLength: 8, maxLength: 60 }),
    edits: fc.array(edit, { minLength: 1, maxLength: 5 }),
    end: fc.constantFrom("\n", "\r\n"),
    open: fc.boolean(),
  })
  .map(({ blank, edits, end, open }) => {
    const lines = blank.map((isBlank, index) => (isBlank && index % 3 === 1 ? "" : `  ${index} é line`));
    const after = [...lines];
    for (const [nth, { at, out, into }] of edits.entries()) {
      after.splice(at, out, ...Array.from({ length: into }, (_, line) => `\tnew ${nth}.${line}`));
    }
    const bytes = (all: readonly string[]): Buffer => Buffer.from(all.join(end) + (open ? "" : end));
    return { before: bytes(lines), after: bytes(after) };
  });

/** What writers do to a diff that leaves its meaning clear. */
type Damage = (diff: string) => string;
const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm;
const DAMAGES: Readonly<Record<string, Damage>> = {
  "no damage": (diff) => diff,
  "counts one too large": (diff) =>
    diff.replaceAll(
      header,
      (_, old: string, a = "1", fresh: string, b = "1") => `@@ -${old},${Number(a) + 1} +${fresh},${Number(b) + 1} @@`,
    ),
  "counts far too small": (diff) => diff.replaceAll(header, "@@ -$1,1 +$3,1 @@"),
  "no counts": (diff) => diff.replaceAll(header, "@@ -$1 +$3 @@"),
  "no numbers": (diff) => diff.replaceAll(header, "@@"),
  "dots for numbers": (diff) => diff.replaceAll(header, "@@ ... @@"),
  "wrong line numbers": (diff) =>
    diff.replaceAll(
      header,
      (_, old: string, a = "1", fresh: string, b = "1") => `@@ -${Number(old) + 3},${a} +${Number(fresh) + 5},${b} @@`,
    ),
  "blank context without its space": (diff) => diff.replaceAll(/^ $/gm, ""),
  "trailing whitespace gone": (diff) => diff.replaceAll(/[ \t]+$/gm, ""),
  "carriage returns gone": (diff) => diff.replaceAll("\r", ""),
  "a fence": (diff) => `So:\n\n\`\`\`diff\n${diff}\`\`\`\n\nThat is it.\n- done\n`,
};

describe.runIf(GNU_DIFF.present)("a diff that was damaged as writers damage them", () => {
  test.for(Object.keys(DAMAGES))("applies all the same, also to a file that has grown above: %s", async (kind) => {
    const folder = freshFolder();
    const run = fc.asyncProperty(
      fc.array(sample, { minLength: 1, maxLength: 12 }),
      fc.nat(9),
      async (samples, grown) => {
        const trees = { a: new Map<string, Buffer>(), b: new Map<string, Buffer>() };
        for (const [index, { before, after }] of samples.entries()) {
          trees.a.set(`f${index}`, before);
          trees.b.set(`f${index}`, after);
        }
        writeTree(`${folder}/a`, trees.a);
        writeTree(`${folder}/b`, trees.b);
        const diff = DAMAGES[kind]?.(GNU_DIFF.diff(folder, 3)) ?? "";
        const [before, after] = [grow(trees.a, grown), grow(trees.b, grown)];
        if (!diff.includes("@@")) return;
        expect(shown((await patch(before, diff)).files)).toEqual(shown(after));
      },
    );
    await fc.assert(run, { numRuns: 12 });
  });
});

function grow(files: Files, lines: number): Files {
  return new Map(
    [...files].map(([path, content]) => {
      const end = content.includes("\r\n") ? "\r\n" : "\n";
      return [path, Buffer.concat([Buffer.from(`// above${end}`.repeat(lines)), content])];
    }),
  );
}

function shown(files: Files): object {
  return Object.fromEntries([...files].map(([path, content]) => [path, content.toString("latin1")]));
}
