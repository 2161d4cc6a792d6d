import { OpsError } from "@llmc/errors";
import { describe, expect, test } from "vitest";
import { notesOf } from "../../src/diff/notes.js";
import { readCorpus, type CorpusCase, type Refused } from "./corpus.js";
import { patch, type Files } from "./memory.js";

const corpus = readCorpus();

for (const source of new Set(corpus.map((one) => one.source))) {
  describe(`cases of ${source}`, () => {
    const cases = corpus.filter((one) => one.source === source).map((one) => [one.title, one] as const);
    test.for(cases)("%s", async ([, one]) => {
      const { expected } = one;
      if ("files" in expected) expect(await resultOf(one)).toEqual({ ...expected, files: shown(expected.files) });
      else expect(await refusalOf(one)).toEqual(shownRefusal(expected, await refusalOf(one)));
    });
  });
}

test("there are at least 100 cases, each with a title of its own and its origin", () => {
  expect(corpus.length).toBeGreaterThanOrEqual(100);
  expect(new Set(corpus.map(({ title }) => title)).size).toBe(corpus.length);
  expect(corpus.filter(({ origin }) => origin !== "composed" && origin !== "recorded")).toEqual([]);
});

async function resultOf({ files, diff }: CorpusCase): Promise<object> {
  const { files: after, changes, notes: known } = await patch(files, diff);
  const modes = changes.flatMap(({ path, mode }) => (mode === null ? [] : [[path, mode.toString(8)] as const]));
  const notes = [...changes.flatMap(({ hunks }) => notesOf(hunks)), ...known];
  return { files: shown(after), modes: Object.fromEntries(modes), notes };
}

async function refusalOf({ files, diff }: CorpusCase): Promise<object> {
  const thrown = await patch(files, diff).then(
    ({ files: after }) => ({ applied: shown(after) }),
    (error: unknown) => error,
  );
  if (!OpsError.is(thrown)) return { thrown };
  return { code: thrown.code, said: `${thrown.message} — ${thrown.hint ?? JSON.stringify(thrown.remedy)}` };
}

/** What must be said is shown as said where it is, so that a difference shows the whole sentence. */
function shownRefusal({ code, names }: Refused, got: object): object {
  const said = "said" in got ? String(got.said) : "";
  const missing = names.filter((name) => !said.includes(name));
  return { code, said: missing.length === 0 ? said : missing };
}

function shown(files: Files): object {
  return Object.fromEntries([...files].map(([path, content]) => [path, content.toString("latin1")]));
}
