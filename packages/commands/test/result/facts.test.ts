import { expect, test } from "vitest";
import { body, factsOf, headline, type Outcome } from "../../src/index.js";

const WORDS = { moreTime: "ask for more", hintOf: String };

const OUTCOME: Outcome = {
  stdout: "",
  stderr: "",
  exitCode: 0,
  timedOut: false,
  durationMs: 12,
  facts: { sandbox: "bubblewrap", network: false, held: "pid namespace", notes: [] },
};
const STREAMS = { stdout: "", stderr: "" };

test("facts name the sandbox, and the first line shows them", () => {
  const facts = factsOf(OUTCOME, STREAMS, WORDS);
  expect(facts).toEqual({ sandbox: "bubblewrap", network: false, held: "pid namespace", duration_ms: 12 });
  expect(headline("exit 0", facts)).toBe("[exit 0 · 12 ms · bubblewrap · no network]");
});

test("after a time-out the caller's own words tell how to get more time", () => {
  expect(factsOf({ ...OUTCOME, timedOut: true }, STREAMS, WORDS)).toMatchObject({ note: "ask for more" });
  expect(factsOf(OUTCOME, STREAMS, WORDS)).not.toHaveProperty("note");
});

test("of many files that other programs execute the first are named and the rest counted", () => {
  const executedByOthers = Array.from({ length: 25 }, (_, index) => `/r/hook-${index}`);
  const { made_executable_config, note } = factsOf({ ...OUTCOME, executedByOthers }, STREAMS, WORDS);
  expect([made_executable_config?.length, note]).toEqual([20, "made 5 more that others execute"]);
});

test("errors stand below the output, on a line of their own", () => {
  expect(body("out", "problem\n")).toBe("out\n[stderr]\nproblem\n");
  expect(body("out\n", "problem\n")).toBe("out\n[stderr]\nproblem\n");
  expect(body("out", "")).toBe("out");
});
