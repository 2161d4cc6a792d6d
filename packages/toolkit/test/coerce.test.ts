import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { from, pipeline, toolNamed } from "./fixture.js";

const given: ReadonlySet<string>[] = [];
const seen: object[] = [];
const tool = toolNamed(
  "patch",
  async (args, context) => {
    given.push(context.given);
    seen.push(args);
    return { said: "" };
  },
  {
    input: z.strictObject({
      path: z.string().optional(),
      lines: z.int().min(1).optional(),
      backup: z.boolean().default(false),
      paths: z.array(z.string()).optional(),
      edits: z.array(z.strictObject({ text: z.string(), count: z.int().default(1) })).optional(),
      normalize: z.union([z.boolean(), z.strictObject({ blanks: z.boolean() })]).optional(),
      sum: z.string().nullish(),
      needed: z.string().default("x"),
    }),
  },
);

async function taken(args: object): Promise<object> {
  await pipeline([tool]).dispatcher.call("patch", args, from());
  const { backup: _, needed: __, ...rest } = seen.at(-1) as Record<string, unknown>;
  return rest;
}

test.for([
  [{ lines: "10" }, { lines: 10 }],
  [{ lines: " 10 " }, { lines: 10 }],
  [{ paths: '["a","b"]' }, { paths: ["a", "b"] }],
  [{ edits: '[{"text":"a"}]' }, { edits: [{ text: "a", count: 1 }] }],
  [{ edits: [{ text: "a", count: "2" }] }, { edits: [{ text: "a", count: 2 }] }],
  [{ edits: '[{"text":"a","count":"2"}]' }, { edits: [{ text: "a", count: 2 }] }],
  [{ normalize: "true" }, { normalize: true }],
  [{ normalize: '{"blanks":"false"}' }, { normalize: { blanks: false } }],
  [{ lines: null, path: "a", paths: null }, { path: "a" }],
  // A text stays the text that it is, and what may be null stays null.
  [
    { path: "10", sum: "true" },
    { path: "10", sum: "true" },
  ],
  [
    { path: '["a"]', sum: null },
    { path: '["a"]', sum: null },
  ],
] as const)("%j is taken as %j", async ([args, meant]) => {
  expect(await taken(args)).toEqual(meant);
});

test.for([
  [{ lines: "1e1" }],
  [{ lines: "0x10" }],
  [{ lines: "" }],
  [{ lines: "ten" }],
  [{ lines: "1.5" }],
  [{ lines: "0" }],
  [{ backup: "yes" }],
  [{ backup: 1 }],
  [{ backup: "1" }],
  [{ paths: "a" }],
  [{ paths: '{"a":1}' }],
  [{ paths: [1] }],
  [{ normalize: "1" }],
  [{ path: 10 }],
  [{ edits: [{ text: null }] }],
] as const)("%j can mean more than one thing and is refused", async ([args]) => {
  await expect(taken(args)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("what is null was not written", async () => {
  await taken({ lines: null, path: "a" });
  expect([...(given.at(-1) ?? [])]).toEqual(["path"]);
});

test("a text of a megabyte is not taken apart", async () => {
  await expect(taken({ paths: JSON.stringify(["x".repeat(1024 * 1024)]) })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

test("whatever comes, a call is answered or refused by its arguments, and what came is not changed", async () => {
  const key = fc.constantFrom("path", "lines", "backup", "paths", "edits", "normalize", "sum", "__proto__", "x");
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.json({ maxDepth: 3 }));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, value), async (args) => {
      const before = JSON.stringify(args);
      await taken(args).catch((thrown: { code: string }) => expect(thrown.code).toBe("INVALID_ARGUMENT"));
      expect(JSON.stringify(args)).toBe(before);
    }),
    { numRuns: 300 },
  );
});
