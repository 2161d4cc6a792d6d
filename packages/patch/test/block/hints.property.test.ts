import type { Advice, PatchCountMismatchError } from "@llmc/errors";
import fc from "fast-check";
import { expect, test } from "vitest";
import { replaceBlocks, type Replaced } from "../../src/block/replace-blocks.js";

// Few words make lines resemble each other.
const word = fc.constantFrom(
  "for",
  "foo",
  "name",
  "names",
  "class",
  "Item",
  "total",
  "return",
  "x",
  "1",
  "12",
  "=",
  "()",
);
const line = fc
  .tuple(fc.constantFrom("", "", "  ", "    ", "\t"), fc.array(word, { minLength: 1, maxLength: 6 }))
  .map(([indent, words]) => indent + words.join(" "));
const file = fc.array(fc.oneof({ weight: 9, arbitrary: line }, fc.constant("")), { minLength: 1, maxLength: 14 });

/** Distorts a text as a careless caller would. */
type Mangle = (text: string) => string;
const at = (text: string, place: number): number => place % (text.length + 1);
const mangle: fc.Arbitrary<Mangle> = fc.oneof(
  fc.tuple(fc.nat(), fc.constantFrom("a", "o", "1", "-", " ", "s")).map(
    ([place, char]) =>
      (text: string) =>
        text.slice(0, at(text, place)) + char + text.slice(at(text, place)),
  ),
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 4 })).map(
    ([place, less]) =>
      (text: string) =>
        text.slice(0, at(text, place)) + text.slice(at(text, place) + less),
  ),
  fc.tuple(word, word).map(
    ([one, other]) =>
      (text: string) =>
        text.replace(one, other),
  ),
  fc.nat().map((place) => (text: string) => text.slice(at(text, place))),
  fc.nat().map((place) => (text: string) => text.slice(0, at(text, place))),
  // Drops a line, but never the only one.
  fc.nat().map((nth) => (text: string) => {
    const lines = text.split("\n");
    return lines.length === 1 ? text : lines.toSpliced(nth % lines.length, 1).join("\n");
  }),
  fc.constantFrom<Mangle[]>(
    (text) => text.toUpperCase(),
    (text) => text.replaceAll("    ", "\t"),
    (text) => text.replaceAll("\t", "  "),
    (text) => text.replaceAll(/^[ \t]+/gm, ""),
    (text) => `${text}  `,
    (text) => text.replaceAll("\n", "\\n"),
    (text) => text.replaceAll(" ", "\u00a0"),
  ),
  fc.constantFrom("foo", "nope", "name", "class Foo", "for x").map((other) => () => other),
);
/** Distorts the text in one to three ways, and may insert a line that the file does not have. */
const mangled = fc
  .tuple(
    fc.array(mangle, { minLength: 1, maxLength: 3 }),
    fc.option(fc.tuple(fc.nat(), fc.constantFrom("log();", "import os", "zeta += 5;"))),
  )
  .map(([mangles, added]): Mangle => (text) => {
    const own = mangles.reduce((text, mangle) => mangle(text), text).split("\n");
    return (added === null ? own : own.toSpliced(added[0] % (own.length + 1), 0, added[1])).join("\n");
  });

interface Call {
  readonly oldText: string;
  readonly newText: string;
  readonly expected?: number;
}

/** Returns the calls that the hint of an error asks for, to the letter. */
function told({ oldText, newText }: Call, error: PatchCountMismatchError, lines: readonly string[]): readonly Call[] {
  const whole = error.remedy?.id === "text-to-replace" ? error.remedy.advice : "";
  const all: readonly Advice[] = typeof whole === "object" && whole.id === "several" ? whole.of : [whole];
  return all.flatMap((advice): readonly Call[] => {
    if (typeof advice === "string") return [];
    switch (advice.id) {
      case "send-block":
        return [{ newText, oldText: JSON.parse(advice.quote) as string }];
      case "take-marked-lines":
        return [{ newText, oldText: withMarked(oldText, error.message) }];
      case "copy-indentation":
        return [{ newText, oldText: indentedAs(lines.slice(advice.line - 1, advice.endLine), oldText) }];
      case "copy-block":
        return [{ newText, oldText: lines.slice(advice.line - 1, advice.endLine).join("\n") }];
      case "write-characters":
        return [{ newText, oldText: oldText.replaceAll("\\n", "\n") }];
      case "fewer-places":
        return [{ newText, oldText, expected: advice.count }];
      default:
        return [];
    }
  });
}

function indentedAs(lines: readonly string[], text: string): string {
  const indent = (nth: number): string => /^[ \t]*/.exec(lines[nth] ?? "")?.[0] ?? "";
  return text
    .split("\n")
    .map((line, nth) => (line.trim() === "" ? line : indent(nth) + line.trimStart()))
    .join("\n");
}

function withMarked(oldText: string, message: string): string {
  const shown = message.matchAll(/^line \d+: .*\n(?:- (.*))?\n?(?:\+ (.*))?/gm);
  return Array.from(shown).reduce(
    (text, [, own = "", there = ""]) => text.replace(own.replaceAll("→", "\t"), () => there.replaceAll("→", "\t")),
    oldText,
  );
}

const attempt = (content: string, call: Call): Promise<Replaced | PatchCountMismatchError> =>
  replaceBlocks(content, [call]).catch((thrown: unknown) => thrown as PatchCountMismatchError);

const inkOf = (text: string): string => text.replaceAll(/[ \t]/g, "").trim();

const NEW_TEXT = "<what is to stand there>";

test("property: a hint, followed to the letter, leaves every line as it was that the caller did not mean", async () => {
  let followed = 0;
  const run = fc.asyncProperty(file, fc.nat(), fc.nat(2), mangled, async (lines, where, more, mangle) => {
    const from = where % lines.length;
    const to = Math.min(lines.length, from + 1 + more);
    const meant = lines.slice(from, to).join("\n");
    const call = { oldText: mangle(meant), newText: NEW_TEXT };
    fc.pre(call.oldText.trim() !== "");
    const content = lines.join("\n");
    const error = await attempt(content, call);
    if ("content" in error) return;
    expect(error.code).toBe("PATCH_COUNT_MISMATCH");
    for (const next of told(call, error, lines)) {
      const done = await attempt(content, next);
      // Skips a hint that only changes the indentation, because that text may stand anywhere.
      if (!("content" in done) || inkOf(next.oldText) === inkOf(call.oldText)) continue;
      followed += 1;
      const text = done.content.toString();
      const [before, behind] = [lines.slice(0, from).join("\n"), lines.slice(to).join("\n")];
      const isKept = text.startsWith(before) && text.endsWith(behind);
      expect({ call, next, text, isKept }).toEqual({ call, next, text, isKept: true });
    }
  });
  await fc.assert(run, { numRuns: 2000 });
  expect(followed).toBeGreaterThan(10);
});

test("property: what is changed without a hint has the ink of what was sent", async () => {
  const run = fc.asyncProperty(file, fc.nat(), fc.nat(2), mangled, async (lines, where, more, mangle) => {
    const from = where % lines.length;
    const meant = lines.slice(from, from + 1 + more).join("\n");
    const oldText = mangle(meant);
    fc.pre(oldText.trim() !== "");
    const content = lines.join("\n");
    const done = await attempt(content, { oldText, newText: NEW_TEXT });
    if (!("content" in done)) return;
    const [before = "", behind = ""] = done.content.toString().split(NEW_TEXT);
    const gone = content.slice(before.length, content.length - behind.length);
    expect(inkOf(gone)).toBe(inkOf(oldText));
  });
  await fc.assert(run, { numRuns: 1000 });
});
