import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { freshFolder } from "./fresh.js";

const fixtures = join(import.meta.dirname, "fixtures");
const names = (await readdir(fixtures)).filter((name) => name.startsWith("seed-")).toSorted();

describe("each example block of the seeds loads as it stands", () => {
  test("all five are here", () => {
    expect(names).toEqual([
      "seed-000-line-175.toml",
      "seed-001-line-167.toml",
      "seed-004-line-172.toml",
      "seed-004-line-331.toml",
      "seed-004-line-645.toml",
    ]);
  });

  test.for(names)("%s", async (name) => {
    const fresh = await freshFolder();
    const text = await readFile(join(fixtures, name), "utf8");
    const { mcp } = await fresh.loadText(text);

    expect(mcp).toMatchObject(absolute(parse(text)["mcp"], fresh));
  });
});

/** What the block says, with its paths as the loader settles them. */
function absolute(table: unknown, { dir, home }: { dir: string; home: string }): object {
  const relative = /^(?:\.\/)?((?:artifacts|scripts|DOCS)\/.*)$/;
  return JSON.parse(JSON.stringify(table), (_key, value: unknown) =>
    typeof value === "string" ? value.replace(relative, `${dir}/$1`).replace(/^~(?=\/|$)/, home) : value,
  ) as object;
}

test("seed 004's roots open the whole machine, with a warning", async () => {
  const fresh = await freshFolder();
  const text = await readFile(join(fixtures, "seed-004-line-172.toml"), "utf8");
  const { roots, warnings } = await fresh.loadText(text);

  expect({ roots, warning: warnings[0] }).toEqual({
    roots: ["/"],
    warning: 'the root "/" opens the whole machine to tools: every file that this user can reach',
  });
});

test("seed 001's roots are expanded", async () => {
  const fresh = await freshFolder();
  const text = await readFile(join(fixtures, "seed-001-line-167.toml"), "utf8");

  expect((await fresh.loadText(text)).roots).toEqual([join(fresh.home, "src/llmc"), fresh.home]);
});

test("seed 004's data volume is the data dir", async () => {
  const fresh = await freshFolder();
  const text = await readFile(join(fixtures, "seed-004-line-645.toml"), "utf8");

  expect((await fresh.loadText(text)).dataDir).toBe("/app/.llmc");
});
