import { expect, test } from "vitest";
import { body, factsOf, headline, type FactWords, type Outcome } from "../../src/index.js";

const WORDS: FactWords = {
  hintOf: (advice) => (typeof advice === "string" ? advice : advice.id),
  limits: { handOver: 45, max: 600 },
};

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
  expect(headline("exit 0", facts)).toBe("[exit 0 · no network]");
});

test("after a time-out a note tells how to get more time", () => {
  expect(factsOf({ ...OUTCOME, timedOut: true }, STREAMS, WORDS)).toMatchObject({ note: "more-time" });
  expect(factsOf(OUTCOME, STREAMS, WORDS)).not.toHaveProperty("note");
});

test("of many files that other programs execute the first are named and the rest counted", () => {
  const executedByOthers = Array.from({ length: 25 }, (_, index) => `/r/hook-${index}`);
  const { made_executable_config, note } = factsOf({ ...OUTCOME, executedByOthers }, STREAMS, WORDS);
  expect([made_executable_config?.length, note]).toEqual([20, "made 5 more that other programs run"]);
});

test("programs that ended with the command are named, masked and bounded", () => {
  const leftBehind = [["node", "src/server.js"], ["mysql", "--password", "hunter2"], ["sleep", "5".repeat(200)], ["x"]];
  const ended = `ended with the command: node src/server.js, mysql --password ***, sleep ${"5".repeat(74)}… and 1 more`;
  expect(factsOf({ ...OUTCOME, leftBehind }, STREAMS, WORDS)).toMatchObject({ note: `${ended}; keep-program` });
  const words = { ...WORDS, limits: { handOver: undefined, max: 600 } };
  expect(factsOf({ ...OUTCOME, leftBehind: [["a", "b\nc"]] }, STREAMS, words)).toMatchObject({
    note: "ended with the command: a b\\nc",
  });
});

test("a command that was handed over tells how to wait for its end", () => {
  const outcome = { ...OUTCOME, exitCode: null, procId: "p_1" };
  expect(factsOf(outcome, STREAMS, WORDS)).toMatchObject({ note: "come-back" });
});

test("the cause of a failure takes the place of what else there is to say about the sandbox", () => {
  const facts = { sandbox: "bubblewrap", network: true, held: "pid namespace", notes: ["about the machine"] } as const;
  expect(factsOf({ ...OUTCOME, facts }, STREAMS, WORDS)).toMatchObject({ note: "about the machine" });
  const cause = { id: "write-protected", path: ".git/config" } as const;
  expect(factsOf({ ...OUTCOME, facts, cause }, STREAMS, WORDS)).toMatchObject({ note: "write-protected" });
});

test("errors stand below the output, on a line of their own", () => {
  expect(body("out", "problem\n")).toBe("out\n[stderr]\nproblem\n");
  expect(body("out\n", "problem\n")).toBe("out\n[stderr]\nproblem\n");
  expect(body("out", "")).toBe("out");
});
