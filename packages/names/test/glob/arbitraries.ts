import * as fc from "fast-check";
import { braceExpand } from "minimatch";

const letter = fc.constantFrom("a", "b", "B", "-", ".", "1", "ü", "€", "😀", "_", "!", "(", "#");
const name = fc
  .array(letter, { minLength: 1, maxLength: 4 })
  .map((letters) => letters.join(""))
  .filter((text) => text !== "." && text !== "..");

export const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));

const named = fc.constantFrom("[:alpha:]", "[:digit:]", "[:upper:]", "[:punct:]", "[:alnum:]", "[:space:]", "[:word:]");
const member = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "b", "1", "ü", "😀", "_", "\\]", "\\a") },
  fc.constantFrom("a-b", "A-Z", "0-9", "a-😀", "ü-ü"),
  named,
);
const klass = fc
  .tuple(
    fc.constantFrom("", "!", "^"),
    fc.constantFrom("", "]", "-"),
    fc.array(member, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "-"),
  )
  .map(([bang, first, members, last]) => `[${bang}${first}${members.join("")}${last}]`);

const piece = fc.oneof(
  { weight: 6, arbitrary: letter },
  { weight: 3, arbitrary: fc.constant("*") },
  { weight: 2, arbitrary: fc.constant("?") },
  { weight: 2, arbitrary: klass },
  { weight: 3, arbitrary: fc.constant("/") },
  { weight: 2, arbitrary: fc.constantFrom("**", "/**", "**/", "/**/") },
  fc.constantFrom("\\*", "\\?", "\\[", "\\{", "\\a", "\\\\", "\\!", "***", "//", "{a}", "]", "{a..c}", "{8..11}"),
);

const pieces: fc.Arbitrary<string> = fc.letrec<{ run: string; group: string }>((tie) => ({
  run: fc
    .array(fc.oneof({ weight: 6, arbitrary: piece }, { weight: 1, arbitrary: tie("group") }), { maxLength: 6 })
    .map((all) => all.join("")),
  group: fc.array(tie("run"), { minLength: 2, maxLength: 3 }).map((branches) => `{${branches.join(",")}}`),
})).run;

/** Globs that are whole: what they mean is open to discussion only where `disputed` says so. */
export const glob = pieces.filter((text) => text !== "");

/** Where the dialect says something else than minimatch on purpose, or minimatch does something odd. */
export function disputed(text: string): boolean {
  // Minimatch expands nothing after braces that hold no comma and no range; bash goes on.
  if (/\{a\}.*\{/.test(text)) return true;
  const expanded = braceExpand(text.replaceAll(/\*+/g, (stars) => `<${stars}`));
  return (
    expanded.every((each) => each === "") ||
    expanded.some((each) => {
      const names = each.split("/");
      const starsOfTwo = /\*</.test(each);
      const dots = names.some((part) => /^\\?\.(\\?\.)?$/.test(part));
      // Minimatch makes one of many, and then takes it for a name.
      const onlyStars = names.length > 1 && names.every((part) => part === "" || part === "<**");
      return starsOfTwo || onlyStars || dots || (names.length > 1 && (names[0] === "" || names.at(-1) === ""));
    })
  );
}

const filler = fc.oneof(letter, fc.constantFrom("", "ab", "a/b", "]", "*"));

/** A path that a glob may well match: one of its alternatives, with something for each wildcard. */
function relatedTo(text: string): fc.Arbitrary<string> {
  const alternatives = braceExpand(text.replace(/^!/, ""));
  return fc
    .tuple(fc.constantFrom(...alternatives, "a"), fc.array(filler, { minLength: 20, maxLength: 20 }))
    .map(([alternative, fillers]) => {
      const filled = alternative.replaceAll(
        /\*+|\?|\[.[^\]]*\]+|\\(.)/gu,
        (_, escaped) => escaped ?? fillers.pop() ?? "a",
      );
      const names = filled.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
      return names.length === 0 ? "a" : names.join("/");
    });
}

export const globAndPath = glob.chain((text) =>
  fc.tuple(fc.constant(text), fc.oneof({ weight: 1, arbitrary: path }, { weight: 3, arbitrary: relatedTo(text) })),
);
