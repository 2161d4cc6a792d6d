import { describe, expect, test } from "vitest";
import { digest } from "../src/digest/digest.js";

const REPEATED = `${Array.from({ length: 200 }, () => "the same line again").join("\n")}\n`;
const OUTPUT = { command: "cargo test", stdout: REPEATED, stderr: "", exitCode: 0 };
const GENERAL = "the same line again  ×200\n";

function slowly(): never[] {
  const end = performance.now() + 300;
  while (performance.now() < end);
  return [];
}

describe("the output is told as one of no known kind, and the failure is told, where", () => {
  test.each([
    ["a recogniser throws", throwing, "broken"],
    ["a recogniser takes too long", slowly, "broken"],
  ])("%s", (_, grammar, name) => {
    const failures: string[] = [];
    const onFailure = (recogniser: string) => void failures.push(recogniser);
    const short = digest(OUTPUT, [{ name: "broken", programs: /^cargo/, grammar }], { onFailure });
    expect(short).toMatchObject({ stdout: GENERAL, recogniser: undefined, lines: 200, leftOut: 0 });
    expect(failures).toEqual([name]);
  });
});

function throwing(): never {
  throw new RangeError("a bug of the grammar");
}
