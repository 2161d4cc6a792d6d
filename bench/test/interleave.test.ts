import { expect, test } from "vitest";
import { interleave, type Contender } from "../src/measure/interleave.js";

function recording(turns: string[], subject: string, take: (round: number) => number = () => 1): Contender {
  return {
    subject,
    once: (round) => {
      turns.push(subject);
      return Promise.resolve(take(round));
    },
  };
}

test("contenders take turns in blocks", async () => {
  const turns: string[] = [];
  await interleave([recording(turns, "a"), recording(turns, "b")], { warmup: 1, rounds: 1, block: 2 });
  expect(turns.join("")).toBe("aabbaabb");
});

test("the warm-up is thrown away, and no two measurements have one number", async () => {
  const numbered: Contender = { subject: "a", once: (round) => Promise.resolve(round) };
  const outcomes = await interleave([numbered], { warmup: 2, rounds: 2, block: 2 });
  expect(outcomes.get("a")).toEqual({ samples: [4, 5, 6, 7], missing: undefined });
});

test("a measurement can be of several calls", async () => {
  const several: Contender = { subject: "a", once: () => Promise.resolve([1, 2]) };
  const outcomes = await interleave([several], { warmup: 0, rounds: 2 });
  expect(outcomes.get("a")?.samples).toEqual([1, 2, 1, 2]);
});

test("an optional contender that fails has no samples at all, and the others go on", async () => {
  const turns: string[] = [];
  const failing: Contender = {
    subject: "peer",
    optional: true,
    once: (round) => (round < 2 ? Promise.resolve(1) : Promise.reject(new Error("it ended (1)\nstack"))),
  };
  const outcomes = await interleave([failing, recording(turns, "ours")], { warmup: 0, rounds: 4 });
  expect([...outcomes]).toEqual([
    ["peer", { samples: [], missing: "it ended (1)" }],
    ["ours", { samples: [1, 1, 1, 1], missing: undefined }],
  ]);
});

test("what is not optional ends the run", async () => {
  const failing: Contender = { subject: "ours", once: () => Promise.reject(new Error("broken")) };
  await expect(interleave([failing], { warmup: 0, rounds: 1 })).rejects.toThrow("broken");
});

test("after the budget no round begins, and one was measured", async () => {
  const turns: string[] = [];
  const outcomes = await interleave([recording(turns, "a")], { warmup: 1, rounds: 50, budgetMs: 0 });
  expect(outcomes.get("a")?.samples).toEqual([1]);
});
