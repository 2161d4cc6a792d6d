import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { patch, type Files } from "./memory.js";
import { diffTrees, freshFolder, GIT_DIFF } from "./programs.js";

const NAMES = ["one", "two", "three", "deep/one", "deep/two", "with space", "deep/er/ünï"];
const name = fc.constantFrom(...NAMES);
const content = fc
  .tuple(fc.nat(3), fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 3 }))
  .map(([kind, more]) => [...Array.from({ length: 12 }, (_, line) => `${kind}: line ${line}`), ...more, ""].join("\n"));

type Step =
  | { readonly what: "move"; readonly from: string; readonly to: string }
  | { readonly what: "copy"; readonly from: string; readonly to: string }
  | { readonly what: "put"; readonly to: string; readonly text: string }
  | { readonly what: "edit"; readonly from: string; readonly line: number }
  | { readonly what: "delete"; readonly from: string };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ what: fc.constant("move" as const), from: name, to: name }),
  fc.record({ what: fc.constant("copy" as const), from: name, to: name }),
  fc.record({ what: fc.constant("put" as const), to: name, text: fc.oneof(content, fc.constant("")) }),
  fc.record({ what: fc.constant("edit" as const), from: name, line: fc.nat(11) }),
  fc.record({ what: fc.constant("delete" as const), from: name }),
);

describe.runIf(GIT_DIFF.present)("a diff that git makes of two trees", () => {
  test("gives the second tree: files made, deleted, renamed, copied and changed, in any mixture", async () => {
    const folder = freshFolder();
    const tree = fc.dictionary(name, content, { maxKeys: NAMES.length });
    const run = fc.asyncProperty(tree, fc.array(step, { maxLength: 7 }), async (files, work) => {
      const before = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
      const after = new Map(before);
      for (const each of work) take(after, each);
      const diff = diffTrees(folder, before, after);
      // The one thing that no order of steps can do: two files that change their names with each other.
      if (diff === "" || swaps(diff)) return;
      expect(shown((await patch(before, diff)).files)).toEqual(shown(after));
    });
    await fc.assert(run, { numRuns: 15 });
  });
});

function take(files: Map<string, Buffer>, step: Step): void {
  const source = "from" in step ? files.get(step.from) : undefined;
  if (step.what === "put") files.set(step.to, Buffer.from(step.text));
  if (source === undefined || !("from" in step)) return;
  if (step.what === "move" || step.what === "delete") files.delete(step.from);
  if (step.what === "move" || step.what === "copy") files.set(step.to, source);
  if (step.what === "edit")
    files.set(step.from, Buffer.from(source.toString().replace(`line ${step.line}\n`, "edited\n")));
}

function swaps(diff: string): boolean {
  const moves = new Map(
    [...diff.matchAll(/^rename from (.*)\nrename to (.*)$/gm)].map(([, from = "", to = ""]) => [from, to]),
  );
  return [...moves.keys()].some((start) => {
    let at = moves.get(start);
    for (let left = moves.size; at !== undefined && at !== start && left > 0; left--) at = moves.get(at);
    return at === start;
  });
}

function shown(files: Files): object {
  return Object.fromEntries([...files].map(([path, text]) => [path, text.toString("latin1")]));
}
