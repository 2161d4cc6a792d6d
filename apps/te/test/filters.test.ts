import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshHome, texts } from "./processes.js";

const FILTER = [
  "[[filter]]",
  'name = "progress"',
  'command = "^make"',
  'drop = ["^step"]',
  "[[filter.example]]",
  'input = "step 1\\ndone\\n"',
  'shown = "done\\n"',
  "",
].join("\n");

function withFilter(text: string) {
  const stage = freshHome();
  const folder = join(stage.home, ".config/llmc/filters");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "mine.toml"), text);
  return { ...stage, file: join(folder, "mine.toml") };
}

test("llmc filters lists the filters of each file", async () => {
  const { llmc, file } = withFilter(FILTER);
  expect(texts(await llmc("filters"))).toEqual({ code: 0, stdout: `${file}: progress\n`, stderr: "" });
});

test("a filter whose example does not come out is refused with its file and its name", async () => {
  const { llmc, file } = withFilter(FILTER.replace('"^step"', '"^never"'));
  const { code, stdout, stderr } = texts(await llmc("filters"));
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(file);
  expect(stderr).toContain("progress");
});

test("without filters the help shows one", async () => {
  const { llmc } = freshHome();
  expect(texts(await llmc("filters")).stdout).toMatch(/^There are no filters/);
  expect(texts(await llmc("filters", "--help")).stdout).toContain("[[filter]]");
});
