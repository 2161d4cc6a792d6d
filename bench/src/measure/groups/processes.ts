import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { rowOf, type Goal, type Row } from "../../report/row.js";
import { summarise } from "../../report/stats.js";
import { samplesOf, type Context, type Group } from "../context.js";
import { openCrowd } from "../crowd.js";
import { interleave, type Contender } from "../interleave.js";
import { timed, type McpServer } from "../mcp-server.js";
import { openFloor } from "../proc-floor.js";
import { compare } from "../rows.js";
import { COMMANDER, OURS } from "../servers.js";
import { startWorker } from "../worker.js";

const LIST = "`proc_list` in process";
const REPL = "A Python REPL through MCP stdio";
const FLOOR = "C reader of /proc/PID/stat";
const PS = "`ps` spawned";
const TURNS = 20;

/** Processes listed, beside the least that reading them costs; and a REPL that answers. */
export const processes: Group = async (context) => [
  ...(await listed(context, 150)),
  ...(await listed(context, context.quick ? 600 : 3000)),
  ...(await answered(context)),
];

async function listed({ places, rounds }: Context, total: number): Promise<Row[]> {
  await using _crowd = await openCrowd(total);
  await using worker = startWorker(places);
  await using floor = openFloor(places.fixtures, places.work);
  const ours = async (): Promise<number> => (await worker.run("procList")).ms as number;
  const contenders: Contender[] = [
    ...(floor === null ? [] : [{ subject: FLOOR, once: () => floor.once() }]),
    { subject: PS, once: psSpawned },
    { subject: OURS, once: ours },
  ];
  // The other two are compiled before they start; ours is while it runs.
  const [warmup, counted] = total > 1000 ? [40, 30] : [300, 200];
  const how = { warmup: rounds(warmup), rounds: rounds(counted), budgetMs: 30_000 };
  const outcomes = await interleave(contenders, how);
  const base = floor === null ? PS : FLOOR;
  const byPs = 0.2;
  const goal: Goal =
    floor === null ? { of: "ratio", atMost: byPs } : { of: "ratio", atMost: 2.2, or: { to: PS, atMost: byPs } };
  const goals: Record<string, Goal> = { [OURS]: goal };
  const turns = await interleave([{ subject: OURS, once: async () => (await worker.run("procListTurn")).ms }], how);
  const name = `${total} processes`;
  return [
    ...compare({ group: LIST, case: name, unit: "ms", outcomes, base, goals }),
    rowOf({
      group: LIST,
      case: `${name}: the longest that others wait for their turn`,
      subject: OURS,
      unit: "ms",
      samples: samplesOf(turns, OURS).samples,
      goal: { of: "median", atMost: 10 },
    }),
  ];
}

function psSpawned(): Promise<number> {
  return timed(async () => {
    const child = spawn("ps", ["-eo", "pid,user,%cpu,%mem,command", "--sort=-%cpu"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    await Promise.all([buffer(child.stdout), once(child, "close")]);
  });
}

const BARE = "bare pipes";

async function answered({ servers, rounds }: Context): Promise<Row[]> {
  const [bare, ours, commander] = [
    bareRepl(),
    mcpRepl(servers.oursBare, OUR_WAY),
    mcpRepl(servers.commander, THEIR_WAY),
  ];
  const repls = [bare, ours, commander];
  try {
    const contenders: Contender[] = [
      { subject: BARE, once: async () => await timed(() => bare.turn()) },
      { subject: OURS, once: async () => await timed(() => ours.turn()) },
    ];
    const outcomes = await interleave(contenders, { warmup: 20, rounds: rounds(400) });
    const median = summarise(samplesOf(outcomes, BARE).samples).median;
    const added = samplesOf(outcomes, OURS).samples.map((ms) => ms - median);
    const many: Contender[] = [
      { subject: OURS, once: () => timed(() => times(TURNS, ours)) },
      { subject: COMMANDER, optional: true, once: () => timed(() => times(TURNS, commander)) },
    ];
    const twenty = await interleave(many, { warmup: 1, rounds: rounds(20), budgetMs: 40_000 });
    const goal: Goal = { of: "median", atMost: 1.5 };
    return [
      ...compare({ group: REPL, case: "1 + 1", unit: "ms", outcomes, base: BARE }),
      rowOf({
        group: REPL,
        case: "1 + 1: added to the program's own time",
        subject: OURS,
        unit: "ms",
        samples: added,
        goal,
      }),
      ...compare({ group: REPL, case: `${TURNS} round trips`, unit: "ms", outcomes: twenty, base: OURS }),
    ];
  } finally {
    await Promise.all(repls.map((repl) => repl.end()));
  }
}

interface Repl {
  turn(): Promise<void>;
  end(): Promise<void>;
}

async function times(count: number, repl: Repl): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await repl.turn();
}

/** The program itself, its prompt awaited: what any answer costs at least. */
function bareRepl(): Repl {
  const child = spawn("/bin/sh", ["-c", "exec python3 -i 2>&1"], {
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let said = "";
  let told: () => void = () => {};
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (said.endsWith(">>> ")) told();
  });
  const prompt = (): Promise<void> =>
    new Promise((resolve) => {
      told = () => {
        said = "";
        resolve();
      };
    });
  const ready = prompt();
  return {
    async turn() {
      await ready;
      const answer = prompt();
      child.stdin.write("1 + 1\n");
      await answer;
    },
    async end() {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

interface Way {
  readonly start: readonly [tool: string, args: object];
  idOf(text: string): object;
  readonly tool: string;
  readonly send: object;
}

const OUR_WAY: Way = {
  start: ["linux_proc_start", { command: "python3 -i", wait_ms: 20_000 }],
  idOf: (text) => ({ proc_id: /\bp_\w{6}\b/.exec(text)?.[0] ?? "" }),
  tool: "linux_proc_send",
  send: { input: "1 + 1", wait_ms: 20_000 },
};

const THEIR_WAY: Way = {
  start: ["start_process", { command: "python3 -i", timeout_ms: 20_000 }],
  idOf: (text) => ({ pid: Number(/PID (\d+)/.exec(text)?.[1] ?? 0) }),
  tool: "interact_with_process",
  send: { input: "1 + 1", timeout_ms: 20_000 },
};

function mcpRepl({ start }: { start(): Promise<McpServer> }, way: Way): Repl {
  let opening: Promise<{ server: McpServer; id: object }> | undefined;
  const open = async (): Promise<{ server: McpServer; id: object }> => {
    const server = await start();
    return { server, id: way.idOf(await server.call(...way.start)) };
  };
  return {
    async turn() {
      const { server, id } = await (opening ??= open());
      const text = await server.call(way.tool, { ...id, ...way.send });
      if (!/\b2\b/.test(text)) throw new Error(`wrong: 1 + 1 is answered by ${text.slice(0, 100)}`);
    },
    async end() {
      const opened = await opening?.catch(() => undefined);
      await opened?.server.end();
    },
  };
}
