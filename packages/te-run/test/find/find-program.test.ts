import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProgram } from "../../src/index.js";

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "find-program-")));
});
afterEach(() => rmSync(dir, { recursive: true }));

function program(path: string, mode = 0o755): string {
  writeFileSync(join(dir, path), "#!/bin/sh\n");
  chmodSync(join(dir, path), mode);
  return join(dir, path);
}

test("a bare name is found in the system folders", async () => {
  expect(await findProgram("sh")).toMatch(/^\/(usr\/)?bin\/sh$/);
});

test("the first folder that has it wins, and a folder, a plain file and a dangling link are passed over", async () => {
  for (const name of ["a", "b", "c", "d", "e"]) mkdirSync(join(dir, name));
  mkdirSync(join(dir, "a/tool"));
  program("b/tool", 0o644);
  symlinkSync("/nowhere", join(dir, "c/tool"));
  const wanted = program("d/tool");
  program("e/tool");
  const path = ["a", "b", "c", "d", "e"].map((name) => join(dir, name)).join(":");
  expect(await findProgram("tool", path)).toBe(wanted);
});

test("the working folder is never looked into", async () => {
  program("tool");
  const before = process.cwd();
  process.chdir(dir);
  try {
    expect(await Promise.all(["", ".", "::", ".:", "./"].map((path) => findProgram("tool", path)))).toEqual(
      Array(5).fill(null),
    );
    expect(await findProgram("./tool")).toBeNull();
    mkdirSync("sub");
    program("sub/tool");
    expect(await findProgram("sub/tool", dir)).toBeNull();
  } finally {
    process.chdir(before);
  }
});

test("an absolute name is itself, if it can be executed", async () => {
  expect(await findProgram(program("tool"))).toBe(join(dir, "tool"));
  expect(await findProgram(program("text", 0o644))).toBeNull();
  expect(await findProgram(dir)).toBeNull();
});

test("what is no name at all is not found", async () => {
  expect(
    await Promise.all(["", ".", "..", "sh\0", "no-such-program-anywhere"].map((name) => findProgram(name))),
  ).toEqual(Array(5).fill(null));
});
