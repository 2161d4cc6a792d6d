import type { OpsError } from "@llmc/errors";
import { expect, test } from "vitest";
import { z } from "zod";
import { echo, from, pipeline, toolNamed } from "./fixture.js";

test.for([
  [{ count: 9 }, "linux.echo: count is 9; it must be at most 5"],
  [{ count: -1 }, "linux.echo: count is -1; it must be at least 0"],
  [{ count: "three" }, 'linux.echo: count is "three"; it must be a number'],
  [{ count: 1.5 }, "linux.echo: count is 1.5; it must be an integer"],
  [{ text: "x".repeat(11) }, "linux.echo: text is 11 characters; it must be at most 10 characters"],
  [{ text: 5 }, "linux.echo: text is 5; it must be a string"],
  ["text", 'linux.echo: the arguments is "text"; it must be an object'],
  [{ limit: 3 }, 'linux.echo: unknown argument "limit"'],
] as const)("%j is refused with a sentence that names field, value and what is allowed", async ([args, message]) => {
  await expect(pipeline([echo]).dispatcher.call("linux.echo", args, from())).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message,
  });
});

test("a value nested too deep to be written is still an answer about its field", async () => {
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  await expect(pipeline([echo]).dispatcher.call("linux.echo", { text: deep }, from())).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: "linux.echo: text is a value that nests too deep; it must be a string",
  });
});

test("an unknown argument is answered with the nearest and with all that exist", async () => {
  await expect(pipeline([echo]).dispatcher.call("linux.echo", { cuont: 3 }, from())).rejects.toMatchObject({
    remedy: { id: "did-you-mean", names: ["count"], arguments: ["text", "count"] },
  });
});

const read = toolNamed("linux.fs_read", async () => ({ said: "" }), {
  input: z.strictObject({
    path: z.string().min(1),
    offset_lines: z.int().min(0).default(0),
    tail_lines: z.int().optional(),
    max_lines: z.int().default(200),
    sum: z.string().length(4).optional(),
    edits: z
      .array(z.strictObject({ old_text: z.string(), new_text: z.string() }))
      .min(1)
      .optional(),
    normalize: z.union([z.boolean(), z.strictObject({ blanks: z.boolean() })]).default(false),
  }),
});

const refusalOf = (args: unknown) =>
  pipeline([read])
    .dispatcher.call("linux.fs_read", args, from())
    .then(
      () => null,
      ({ message, remedy }: OpsError) => [message.replace("linux.fs_read: ", ""), remedy],
    );

const ALL = ["path", "offset_lines", "tail_lines", "max_lines", "sum", "edits", "normalize"];
const meant = (names: readonly string[], known?: readonly string[]) => ({
  id: "did-you-mean",
  names,
  ...(known === undefined ? {} : { arguments: known }),
});

test.for([
  [{ file_path: "a" }, 'unknown argument "file_path"', meant(["path"])],
  [{ filePath: "a", limit: 3 }, 'unknown argument "filePath", "limit"', meant(["path", "max_lines"])],
  [{ path: "a", file_path: "a" }, 'unknown argument "file_path"', meant([], ALL)],
  [{ file: "a", colour: 1 }, 'unknown argument "file", "colour"', meant(["path"], ALL)],
  [
    { path: "a", start_line: 1, end_line: 2 },
    'unknown argument "start_line", "end_line"',
    meant(['path: "FILE#L10-L20"']),
  ],
  [{ path: "a", max_line: 2 }, 'unknown argument "max_line"', meant(["max_lines"], ALL)],
  [
    { path: "a", edits: [{ oldText: "x", new_string: "y" }] },
    'unknown argument "oldText", "new_string" in edits[0]',
    meant(["old_text", "new_text"]),
  ],
  [
    { path: "a", edits: [{ old_text: "x", new_text: "y", colour: 1 }] },
    'unknown argument "colour" in edits[0]',
    meant([], ["old_text", "new_text"]),
  ],
  [{ path: "a", normalize: { blank: true } }, 'unknown argument "blank" in normalize', meant(["blanks"], ["blanks"])],
  [{ path: "a", normalize: { blanks: 1 } }, "normalize.blanks is 1; it must be a boolean", undefined],
  [{ path: "" }, "path is empty", undefined],
  [{ path: "a", edits: [] }, "edits is empty", undefined],
  [{ path: "a", sum: "abc" }, "sum is 3 characters; it must be exactly 4 characters", undefined],
  [{ path: "a", normalize: "yes" }, 'normalize is "yes"; it must be a boolean or an object', undefined],
  [
    { path: "a", offset_lines: -5 },
    "offset_lines is -5; it must be at least 0",
    { id: "count-from-the-end", argument: "tail_lines", count: 5 },
  ],
] as const)("%j is answered with what was meant", async ([args, message, remedy]) => {
  expect(await refusalOf(args)).toEqual([message, remedy]);
});
