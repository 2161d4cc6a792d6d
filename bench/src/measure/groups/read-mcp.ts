import type { Goal, Row } from "../../report/row.js";
import { expectFirstLine } from "../answers.js";
import { openCallers } from "../callers.js";
import { LOG_LINES } from "../files.js";
import { interleave, type Rounds } from "../interleave.js";
import { compare } from "../rows.js";
import { FILESYSTEM, OURS } from "../servers.js";
import type { ReadContext } from "./read.js";

const GROUP = "`fs_read` through MCP stdio, beside the peers";
const DEEP_LINE = 300_000;

interface Case {
  readonly name: string;
  readonly path: (round: number) => string;
  readonly firstLine: number;
  readonly ours: object;
  /** null: it has no way to ask for this. */
  readonly filesystem: object | null;
  readonly commander: object;
  readonly before?: () => void;
  readonly goal?: Goal;
  readonly rounds: Rounds;
}

export async function readThroughMcp({ servers, made, rounds }: ReadContext): Promise<readonly Row[]> {
  const { fresh, small, log, busyLog } = made;
  const change = () => made.change(busyLog);
  const head = { ours: { max_lines: 200 }, filesystem: { head: 200 }, commander: { offset: 0, length: 200 } };
  const tail = { ours: { tail_lines: 100 }, filesystem: { tail: 100 }, commander: { offset: -100, length: 100 } };
  const deep = {
    ours: { offset_lines: DEEP_LINE - 1, max_lines: 50 },
    filesystem: null,
    commander: { offset: DEEP_LINE - 1, length: 50 },
  };
  const cases: readonly Case[] = [
    {
      name: "first 200 lines of 2 MB, first read",
      path: (round) => fresh[round] ?? small,
      firstLine: 1,
      ...head,
      rounds: { warmup: 4, rounds: fresh.length - 4 },
    },
    {
      name: "first 200 lines of 2 MB, unchanged since",
      path: () => small,
      firstLine: 1,
      ...head,
      goal: { of: "ratio", atMost: 1 },
      // All three servers are still compiling what they run for the first hundreds of calls.
      rounds: { warmup: rounds(100), rounds: rounds(200), block: 5 },
    },
    {
      name: "last 100 lines of 50 MB, changed since",
      path: () => busyLog,
      before: change,
      firstLine: LOG_LINES - 99,
      ...tail,
      rounds: { warmup: 3, rounds: rounds(40) },
    },
    {
      name: "last 100 lines of 50 MB, unchanged since",
      path: () => log,
      firstLine: LOG_LINES - 99,
      ...tail,
      rounds: { warmup: 10, rounds: rounds(40), block: 5 },
    },
    {
      name: "50 lines at line 300,000 of 50 MB, changed since",
      path: () => busyLog,
      before: change,
      firstLine: DEEP_LINE,
      ...deep,
      rounds: { warmup: 3, rounds: rounds(40) },
    },
    {
      name: "50 lines at line 300,000 of 50 MB, unchanged since",
      path: () => log,
      firstLine: DEEP_LINE,
      ...deep,
      rounds: { warmup: 10, rounds: rounds(40), block: 5 },
    },
  ];
  const rows: Row[] = [];
  for (const one of cases) rows.push(...(await measured(one)));
  return rows;

  async function measured({ name, path, firstLine, before, goal, rounds: how, ...args }: Case): Promise<Row[]> {
    const answers = expectFirstLine(firstLine);
    const { ours, filesystem, commander } = servers;
    await using callers = await openCallers(
      [
        [
          filesystem,
          (server, round) => server.call("read_text_file", { path: path(round), ...asked(args.filesystem) }),
        ],
        [ours, (server, round) => server.call("linux_fs_read", { path: path(round), ...args.ours })],
        [commander, (server, round) => server.call("read_file", { path: path(round), ...args.commander })],
      ],
      { check: answers.check, ...(before && { before }) },
    );
    const outcomes = await interleave(callers.contenders, how);
    return compare({
      group: GROUP,
      case: name,
      unit: "ms",
      outcomes,
      base: args.filesystem === null ? OURS : FILESYSTEM,
      goals: goal === undefined ? {} : { [OURS]: goal },
      notes: answers.notes,
    });
  }
}

function asked(args: object | null): object {
  if (args === null) throw new Error("it reads no ranges");
  return args;
}
