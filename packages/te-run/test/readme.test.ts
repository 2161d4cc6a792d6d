import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../src/index.js";

const PACKAGE = join(import.meta.dirname, "..");

test("the README's example runs and prints the lines that its comments promise", async () => {
  const example = /```js\n([^]*?)```/.exec(readFileSync(join(PACKAGE, "README.md"), "utf8"))?.[1] ?? "";
  const words = ["--conditions=llmc-source", "--import", "tsx", "--input-type=module", "--eval", example];
  const options = { maxBytes: 64 * 1024, timeoutMs: 25_000, cwd: PACKAGE };
  const { stdout, stderr } = await run([process.execPath, ...words], options);

  const promised = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]);
  expect(promised).toHaveLength(2);
  expect({ printed: stdout.toString().split("\n").filter(Boolean), stderr: stderr.toString() }).toEqual({
    printed: promised,
    stderr: "",
  });
});
