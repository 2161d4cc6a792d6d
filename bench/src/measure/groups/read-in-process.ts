import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import type { Goal, Row } from "../../report/row.js";
import { expectFirstLine } from "../answers.js";
import { LOG_LINES } from "../files.js";
import { interleave, type Contender, type Rounds } from "../interleave.js";
import { timed } from "../mcp-server.js";
import { compare } from "../rows.js";
import { OURS } from "../servers.js";
import type { ReadContext } from "./read.js";

const GROUP = "`fs_read` in process";
const READ_FILE = "`fs.readFile`";
const TAIL = "`tail -n 100`";
const HEAD_LINES = { max_lines: 200 };
const TAIL_LINES = { tail_lines: 100 };

export async function readInProcess({ worker, made, rounds }: ReadContext): Promise<readonly Row[]> {
  const { fresh, small, log, busyLog } = made;
  const freshOf = (round: number) => fresh[round] ?? small;
  const readFile = (path: (round: number) => string): Contender => ({
    subject: READ_FILE,
    once: async (round) => (await worker.run("readFile", { path: path(round) })).ms,
  });

  async function comparison(
    name: string,
    base: Contender,
    goal: Goal,
    read: { path: (round: number) => string; args: object; firstLine: number },
    how: Rounds,
  ): Promise<Row[]> {
    const answers = expectFirstLine(read.firstLine);
    const ours: Contender = {
      subject: OURS,
      async once(round) {
        const { ms, first } = await worker.run("fsRead", { path: read.path(round), args: read.args });
        answers.check(OURS, first);
        return ms;
      },
    };
    const outcomes = await interleave([base, ours], how);
    const goals = { [OURS]: goal };
    return compare({ group: GROUP, case: name, unit: "ms", outcomes, base: base.subject, goals, notes: answers.notes });
  }

  const first = LOG_LINES - 99;
  const changed = () => {
    made.change(busyLog);
    return busyLog;
  };
  return [
    ...(await comparison(
      "first 200 lines of 2 MB, first read (a handle is made)",
      readFile(freshOf),
      { of: "ratio", atMost: 10 },
      { path: freshOf, args: HEAD_LINES, firstLine: 1 },
      // Each file is new once.
      { warmup: 4, rounds: fresh.length - 4 },
    )),
    ...(await comparison(
      "first 200 lines of 2 MB, unchanged since",
      readFile(() => small),
      { of: "ratio", atMost: 2 },
      { path: () => small, args: HEAD_LINES, firstLine: 1 },
      { warmup: 20, rounds: rounds(400) },
    )),
    ...(await comparison(
      "last 100 lines of 50 MB, changed since",
      tailProgram(busyLog),
      { of: "ratio", atMost: 10 },
      { path: changed, args: TAIL_LINES, firstLine: first },
      { warmup: 3, rounds: rounds(60) },
    )),
    ...(await comparison(
      "last 100 lines of 50 MB, unchanged since",
      tailProgram(log),
      { of: "ratio", atMost: 3 },
      { path: () => log, args: TAIL_LINES, firstLine: first },
      { warmup: 5, rounds: rounds(100) },
    )),
  ];
}

function tailProgram(path: string): Contender {
  return {
    subject: TAIL,
    once: () =>
      timed(async () => {
        const child = spawn("tail", ["-n", "100", path], { stdio: ["ignore", "pipe", "ignore"] });
        await Promise.all([buffer(child.stdout), once(child, "close")]);
      }),
  };
}
