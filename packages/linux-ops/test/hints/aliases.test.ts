import { inputSchemaOf, type JsonSchema } from "@llmc/toolkit";
import { expect } from "vitest";
import { linuxTools } from "../../src/index.js";
import { ALIASES } from "../../src/hints/aliases.js";
import { test } from "../helpers.js";

const names: readonly string[] = linuxTools.map(({ name }) => name);

function argumentsIn(schema: JsonSchema): readonly string[] {
  const { properties = {}, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
  const below = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return [...Object.keys(properties), ...below.flatMap(argumentsIn)];
}

test("every alias stands for a tool or an argument that exists", () => {
  const known = new Set(linuxTools.flatMap((tool) => argumentsIn(inputSchemaOf(tool, { unlisted: true }))));
  const meant = ALIASES.arguments.map(({ argument }) => argument);
  expect(meant.filter((argument) => !known.has(argument))).toEqual([]);
  expect(Object.values(ALIASES.tools).filter((tool) => !names.includes(tool))).toEqual([]);
  for (const pair of Object.entries(ALIASES.countsFromTheEnd))
    expect(pair.filter((argument) => !known.has(argument))).toEqual([]);
});

test.for([
  ["view", "linux.fs_read"],
  ["edit_block", "linux.fs_patch_block"],
  ["toString", undefined],
] as const)("%s of another server is answered with %s", async ([name, meant], { ops }) => {
  const hint = meant === undefined ? "See the list of tools." : `Use ${meant}.`;
  await expect(ops.call(name as "health", {})).rejects.toMatchObject({ hint });
});

test.for([
  ["linux.fs_read", { filePath: "a", limit: 3 }, "Did you mean path, max_lines?"],
  ["linux.fs_read", { path: "a", start_line: 1, end_line: 2 }, 'Did you mean path: "FILE#L10-L20"?'],
  ["linux.fs_read", { path: "a", offset_lines: -5 }, "For the last lines pass tail_lines: 5 instead."],
  ["linux.fs_read", { path: "a", offset_lines: -9000 }, "For the last lines pass tail_lines instead."],
  ["linux.fs_write", { path: "a", content: "", append: true }, 'Did you mean mode: "append"?'],
  [
    "linux.fs_patch_block",
    { path: "a", edits: [{ oldText: "x", new_string: "y" }] },
    "Did you mean old_text, new_text?",
  ],
] as const)("%s %j is answered with the arguments that were meant", async ([name, args, hint], { ops }) => {
  await expect(ops.call(name as "health", args as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", hint });
});
