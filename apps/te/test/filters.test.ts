import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshHome, handleIn, texts } from "./processes.js";

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
  return { ...stage, filter: join(folder, "mine.toml") };
}

test("llmc filters lists the filters of each file", async () => {
  const { llmc, filter } = withFilter(FILTER);
  expect(texts(await llmc("filters"))).toEqual({ code: 0, stdout: `${filter}: progress\n`, stderr: "" });
});

test("a filter whose example does not come out is refused with its file and its name", async () => {
  const { llmc, filter } = withFilter(FILTER.replace('"^step"', '"^never"'));
  const { code, stdout, stderr } = texts(await llmc("filters"));
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(filter);
  expect(stderr).toContain("progress");
});

test("without filters the help shows one", async () => {
  const { llmc } = freshHome();
  expect(texts(await llmc("filters")).stdout).toMatch(/^There are no filters/);
  expect(texts(await llmc("filters", "--help")).stdout).toContain("[[filter]]");
});

test("te leaves out the lines that a filter drops, and keeps them behind the handle", async () => {
  const { te, file } = withFilter(FILTER.replace('"^make"', '"^cat"'));
  const lines = Array.from({ length: 200 }, (_, at) => (at === 90 ? "done\n" : `step ${at}\n`)).join("");
  file("out", lines);
  const { stdout } = texts(await te(["cat", "out"]));
  expect(stdout).toMatch(/^\[199 lines cut: te --handle h\d{6} --match RE\]\ndone\n$/);
  expect(texts(await te(["--handle", handleIn(stdout)])).stdout).toBe(lines);
});

test("te tells of a broken filter on stderr, and shortens without it", async () => {
  const { te, file } = withFilter("[[filter]]\n");
  file("out", "step\n".repeat(300));
  const { stdout, stderr } = texts(await te(["cat", "out"]));
  expect(stderr).toMatch(/^te: .*mine\.toml.*the filters of this file do not apply\n$/);
  expect(stdout).toContain("step  ×300");
});
