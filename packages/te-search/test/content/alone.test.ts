import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { findProgram } from "@llmc/te-run";
import { describe, expect, onTestFinished, test } from "vitest";
import { freshFolder, makeDesk, QUERY } from "./desk.js";
import { ENGINES, folderOf } from "./engines.js";

const LONG_ENOUGH = { deadlineMs: 60_000 };

describe.for(ENGINES)("$name", ({ setup }) => {
  test("what the caller's environment says to engines is not heard", async () => {
    const settings = `${freshFolder()}/ripgreprc`;
    writeFileSync(settings, "--max-count=1\n--invert-match\n--pre=/bin/false\n");
    const before = { ...process.env };
    onTestFinished(() => void (process.env = before));
    Object.assign(process.env, {
      RIPGREP_CONFIG_PATH: settings,
      GREP_OPTIONS: "-v",
      GREP_COLORS: "mt=31",
      POSIXLY_CORRECT: "1",
      LC_ALL: "C",
    });
    const { root, search } = await makeDesk({ a: "a größe\nb größe\nother\n" }, setup());

    const found = await search.content({ ...QUERY, root, pattern: "gr\\w+E", ignoreCase: true }, LONG_ENOUGH);

    expect(found.files[0]?.hits.map(({ text }) => text)).toEqual(["a größe", "b größe"]);
  });
});

const real = await findProgram("grep");

test.skipIf(real === null)("a grep without -P looks for texts, and refuses the rest by its name", async () => {
  const path = folderOf([await findProgram("xargs")]);
  const refuses = 'for a; do case $a in -P*|-[a-z]*P*) echo "grep: no -P in this build" >&2; exit 2;; esac; done';
  mkdirSync(path, { recursive: true });
  writeFileSync(`${path}/grep`, `#!/bin/sh\n${refuses}\nexec ${real} "$@"\n`);
  chmodSync(`${path}/grep`, 0o755);
  const { root, search } = await makeDesk({ a: "f(x) = Größe\nnext\n" }, { packagedRg: null, path });
  const total = async (pattern: string, literal: boolean): Promise<number> =>
    (await search.content({ ...QUERY, root, pattern, literal, ignoreCase: true }, LONG_ENOUGH)).total;

  expect((await search.engines()).content).toMatch(/^grep /);
  expect([await total("F(X)", true), await total("größe", false)]).toEqual([1, 1]);
  await expect(total("n.xt", false)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringMatching(/^The engine here is grep \S+; it has no regular expressions here/) as string,
    remedy: { id: "search-as-text-or-ripgrep" },
  });
});
