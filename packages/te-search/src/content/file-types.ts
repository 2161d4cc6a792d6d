import { InvalidArgumentError, type Advice } from "@llmc/errors";
import { TYPES } from "./type-table.js";

const MOST_NAMED = 5;
/** What people call them. */
const CALLED: Readonly<Record<string, string>> = {
  javascript: "js",
  "c++": "cpp",
  "c#": "csharp",
  golang: "go",
  bash: "sh",
  shell: "sh",
  text: "txt",
  docs: "md",
};

export function globsOfType(type: string): readonly string[] {
  const globs = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (globs !== undefined) return globs.split(" ");
  throw new InvalidArgumentError(`There is no file type ${JSON.stringify(type.slice(0, 40))}`, hintFor(type));
}

/** By its extension, by its beginning, or else how to do without. */
function hintFor(type: string): Advice {
  const wanted = type.toLowerCase().replace(/^[.*]+/, "");
  const byGlob = Object.entries(TYPES).filter(([, globs]) => globs.split(" ").includes(`*.${wanted}`));
  const byName = Object.entries(TYPES).filter(
    ([name]) => name.startsWith(wanted) || (name.length > 1 && wanted.startsWith(name)),
  );
  const called = Object.hasOwn(CALLED, wanted) ? [CALLED[wanted] as string] : [];
  // What is named so at its beginning says less than an extension.
  const others = byGlob.length + called.length > 0 || wanted.length < 2 ? [] : byName;
  const names = new Set([...called, ...[...byGlob, ...others].map(([name]) => name)]);
  if (names.size === 0) return { id: "type-or-glob" };
  return `Did you mean ${[...names].slice(0, MOST_NAMED).join(", ")}?`;
}
