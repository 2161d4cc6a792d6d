import { summarise } from "../../report/stats.js";
import { rowOf, type Goal } from "../../report/row.js";
import { samplesOf, type Group } from "../context.js";
import { interleave } from "../interleave.js";
import { startWorker, type Worker } from "../worker.js";

const GROUP = "The pipeline, in process";
const ROUNDS = 100;
const CALLS = 50;
const BURST = 1_000;
const GOAL: Goal = { of: "median", atMost: 0.1 };

/** What observe, gate, parse, confirm, limit and deadline add to a handler that does nothing. */
export const overhead: Group = async ({ places, rounds }) => {
  await using worker = startWorker(places);
  const single = { count: CALLS };
  const many = { count: BURST };
  return [
    ...(await added(worker, "added to a call, for its caller", ["bare", "pipeline", single], rounds(ROUNDS))),
    ...(await added(
      worker,
      "added to each of 1,000 calls, log line, counters and audit rows written",
      ["bareBurst", "burst", many],
      rounds(ROUNDS / 4),
    )),
  ];
};

async function added(
  worker: Worker,
  name: string,
  [bare, full, details]: readonly [bare: string, full: string, details: object],
  count: number,
) {
  const contenders = [bare, full].map((subject) => ({
    subject,
    once: async () => (await worker.run(subject, details)).ms,
  }));
  const outcomes = await interleave(contenders, { warmup: 5, rounds: count });
  const floor = summarise(samplesOf(outcomes, bare).samples).median;
  const samples = samplesOf(outcomes, full).samples.map((ms) => ms - floor);
  return [rowOf({ group: GROUP, case: name, subject: "LinuxOps", unit: "ms", samples, goal: GOAL })];
}
