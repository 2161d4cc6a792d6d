import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { digest, envelopeModule, recognisers } from "@llmc/envelope";
import { createLinuxOps } from "@llmc/linux-ops";
import { summarise } from "../../report/stats.js";
import { rowOf, type Row } from "../../report/row.js";
import { openCallers } from "../callers.js";
import { samplesOf, type Context, type Group } from "../context.js";
import { interleave } from "../interleave.js";
import { lineMaker } from "../numbered-lines.js";
import { compare } from "../rows.js";
import { OURS } from "../servers.js";

const GROUP = "Shortening the output of commands: its cost";
const ROUNDS = 30;
const MEGABYTE = 1_000_000;
const SMALL = 10_000;

/** The time of a digest, the longest step of it that the event loop waits for, and the time of a whole call. */
export const envelope: Group = async (context) => [
  ...(await digests(context)),
  ...(await blocks(context)),
  ...(await shortened(context)),
  ...(await command(context)),
];

/** Outputs by command, as many lines as it takes. */
const OUTPUTS: Readonly<Record<string, (line: number, words: string) => string>> = {
  "python -m pytest": (line, words) =>
    `tests/test_${line % 40}.py::test_${line} ${line % 50 === 0 ? "FAILED" : "PASSED"} ${words}`,
  "gcc -Wall *.c": (line, words) =>
    `src/${line % 90}.c:${line}:5: warning: unused variable '${words.slice(9, 20)}' [-Wunused-variable]`,
  "journalctl -u x": (line, words) => `Nov 20 10:${line % 60}:00 host unit[${line}]: ${words}`,
  "rg -n word": (line, words) => `src/${line % 200}.ts:${line}:${words}`,
  "./run": (_, words) => words,
};

async function digests({ rounds }: Context): Promise<readonly Row[]> {
  const kinds = await recognisers();
  const rows = await Promise.all(
    Object.entries(OUTPUTS).map(async ([line, lineOf]) => {
      const output = { command: line, stdout: textOf(lineOf, MEGABYTE), stderr: "", exitCode: 1 };
      const once = async () => timeOf(() => digest(output, kinds));
      const outcomes = await interleave([{ subject: OURS, once }], { warmup: 2, rounds: rounds(ROUNDS) });
      const { samples } = samplesOf(outcomes, OURS);
      const name = `1 MB of \`${line}\`, in process`;
      return rowOf({
        group: GROUP,
        case: name,
        subject: OURS,
        unit: "ms",
        samples,
        goal: { of: "median", atMost: 20 },
      });
    }),
  );
  return rows;
}

/** The longest time that a timer is late while the library shortens an output. */
async function blocks({ rounds }: Context): Promise<readonly Row[]> {
  const ops = createLinuxOps({ roots: [], modules: [envelopeModule] });
  const rows: Row[] = [];
  for (const [command, lineOf] of Object.entries(OUTPUTS)) {
    const args = { command, exit_code: 1, stdout: textOf(lineOf, MEGABYTE), stderr: "" };
    const samples: number[] = [];
    for (let round = 0; round < rounds(ROUNDS); round += 1)
      samples.push(await longestBlock(() => ops.call("te_shorten", args)));
    const name = `1 MB of \`${command}\`: the longest block of the event loop`;
    rows.push(
      rowOf({ group: GROUP, case: name, subject: OURS, unit: "ms", samples, goal: { of: "median", atMost: 50 } }),
    );
  }
  await ops.close();
  return rows;
}

async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  look();
  await work();
  isOver = true;
  return longest;
}

function textOf(lineOf: (line: number, words: string) => string, size: number): string {
  const next = lineMaker(8);
  let text = "";
  for (let line = 1; text.length < size; line += 1) text += `${lineOf(line, next(1)[0] ?? "")}\n`;
  return text;
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function shortened({ servers, rounds }: Context): Promise<readonly Row[]> {
  const [line = "", lineOf = String] = Object.entries(OUTPUTS)[0] ?? [];
  const args = { command: line, exit_code: 1, stdout: textOf(lineOf, SMALL), stderr: "" };
  await using callers = await openCallers([[servers.ours, (server) => server.call("te_shorten", args)]]);
  const outcomes = await interleave(callers.contenders, { warmup: 20, rounds: rounds(ROUNDS * 5) });
  const goals = { [OURS]: { of: "median", atMost: 5 } } as const;
  return compare({ group: GROUP, case: "`te_shorten` of 10 KB, MCP stdio", unit: "ms", outcomes, goals });
}

/** A command that runs for a while, because te opens its settings and its database meanwhile. */
const COMMAND = [process.execPath, "-e", "setTimeout(() => console.log('done'), 300)"] as const;

async function command({ places, rounds }: Context): Promise<readonly Row[]> {
  const te = [process.execPath, join(dirname(places.stdioApp), "../../te/dist/main.js"), "--", ...COMMAND];
  const env = { PATH: process.env["PATH"], HOME: places.work };
  const runs = { bare: COMMAND, te, node: [process.execPath, "-e", "0"] } as const;
  const contenders = Object.entries(runs).map(([subject, [file = "", ...args]]) => ({
    subject,
    async once() {
      const before = performance.now();
      const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "ignore"] });
      child.stdout.resume();
      await once(child, "close");
      return performance.now() - before;
    },
  }));
  const outcomes = await interleave(contenders, { warmup: 2, rounds: rounds(ROUNDS) });
  const floor = summarise(samplesOf(outcomes, "bare").samples).median;
  const samples = samplesOf(outcomes, "te").samples.map((ms) => ms - floor);
  const row = { group: GROUP, case: "`te COMMAND` beyond the command", unit: "ms" } as const;
  return [
    rowOf({ ...row, subject: "the start of Node alone", samples: samplesOf(outcomes, "node").samples }),
    rowOf({ ...row, subject: OURS, samples, goal: { of: "median", atMost: 60 } }),
  ];
}
