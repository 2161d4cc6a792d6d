import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openCommands, RunningCommand, type Commands, type Launch } from "@llmc/te-shell";
import { summarise } from "../../report/stats.js";
import { rowOf, type Goal, type Row } from "../../report/row.js";
import { samplesOf, type Group } from "../context.js";
import { interleave } from "../interleave.js";
import { compare } from "../rows.js";

const GROUP = "Running a command (true), in process";
const ROUNDS = 120;
/** A model thinks for seconds between two commands; this is enough for what is done ahead. */
const REST_MS = 100;
const BALLAST_BYTES = 500 * 1024 * 1024;
const BARE = "bare spawn";
const BWRAP = "bare bwrap, same arguments";
const OURS = "LinuxOps";
const GOAL: Goal = { of: "median", atMost: 1 };

/** What policy, bounds and the reading of the output add to a spawn, and the same in bubblewrap. */
export const commands: Group = async ({ rounds }) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "llmc-bench-commands-")));
  const [off, boxed] = [opened(folder, "off"), opened(folder, "auto")];
  try {
    const isBoxed = (await boxed.sandbox()).kind === "bubblewrap";
    const rows: Row[] = [];
    for (const restMs of [REST_MS, 0]) {
      rows.push(...(await withoutSandbox("without a sandbox", folder, off, { restMs, count: rounds(ROUNDS) })));
      if (isBoxed)
        rows.push(...(await inBubblewrap("in bubblewrap", folder, boxed, { restMs, count: rounds(ROUNDS) })));
    }
    // fork copies the tables of our memory: what a server has in memory, each start pays for.
    const ballast = Buffer.alloc(BALLAST_BYTES, 1);
    const heavy = { restMs: REST_MS, count: rounds(ROUNDS / 2) };
    rows.push(...(await withoutSandbox("without a sandbox, 500 MB more resident", folder, off, heavy)));
    return ballast.length === BALLAST_BYTES ? rows : [];
  } finally {
    await off.close();
    await boxed.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

function opened(root: string, sandbox: "off" | "auto"): Commands {
  return openCommands({
    lists: { allowUnsafe: false },
    sandbox,
    network: true,
    hostView: false,
    pathExtra: [],
    sandboxRead: [],
    sandboxWrite: [],
    envPass: [],
    maxPids: 512,
    maxMemoryMb: 1024,
    home: root,
    roots: () => [{ path: root, real: root }],
    stateDir: null,
  });
}

interface Pace {
  readonly restMs: number;
  readonly count: number;
}

async function withoutSandbox(name: string, cwd: string, commands: Commands, pace: Pace): Promise<Row[]> {
  return await held(
    name,
    BARE,
    () => bare("/usr/bin/true", [], cwd),
    () => ours(commands, cwd),
    pace,
  );
}

async function inBubblewrap(name: string, cwd: string, commands: Commands, pace: Pace): Promise<Row[]> {
  const launch = await prepared(commands, cwd);
  await launch.release();
  const { bwrap, args } = bareWords(launch.spawnArguments.args);
  return await held(
    name,
    BWRAP,
    () => bare(bwrap, args, cwd, ["pipe"]),
    () => ours(commands, cwd),
    pace,
  );
}

/** The wrapper's own words go before bwrap's; the file with most of these, and the filter, are the wrapper's to open. */
function bareWords(wrapped: readonly string[]): { readonly bwrap: string; readonly args: readonly string[] } {
  const at = wrapped.findIndex((word) => word.endsWith("/bwrap"));
  const [, fd, ...rest] = wrapped.slice(at + 1);
  const file = new RegExp(`exec ${fd}<'(.*)'`).exec(wrapped[1] ?? "")?.[1];
  if (file === undefined) throw new Error("the words of bwrap are not where they were");
  const words = readFileSync(file, "utf8").split("\0").slice(0, -1);
  const unfiltered = words.filter((word, nth) => word !== "--seccomp" && words[nth - 1] !== "--seccomp");
  return { bwrap: wrapped[at] ?? "bwrap", args: [...unfiltered, ...rest] };
}

async function held(
  kind: string,
  base: string,
  floor: () => Promise<number>,
  full: () => Promise<number>,
  { restMs, count }: Pace,
): Promise<Row[]> {
  const name = restMs === 0 ? `${kind}, one right behind the other` : kind;
  const rested = (once: () => Promise<number>) => async () => {
    if (restMs > 0) await sleep(restMs);
    return await once();
  };
  const contenders = [
    { subject: base, once: rested(floor) },
    { subject: OURS, once: rested(full) },
  ];
  const outcomes = await interleave(contenders, { warmup: 10, rounds: count });
  const median = summarise(samplesOf(outcomes, base).samples).median;
  const samples = samplesOf(outcomes, OURS).samples.map((ms) => ms - median);
  return [
    ...compare({ group: GROUP, case: name, unit: "ms", outcomes, base }),
    rowOf({ group: GROUP, case: `${name}: added`, subject: OURS, unit: "ms", samples, goal: GOAL }),
  ];
}

async function bare(
  file: string,
  args: readonly string[],
  cwd: string,
  extra: readonly "pipe"[] = [],
): Promise<number> {
  const began = performance.now();
  const child = spawn(file, args, { cwd, env: { PATH: "/usr/bin:/bin" }, stdio: ["ignore", "pipe", "pipe", ...extra] });
  for (const stream of child.stdio) if (stream instanceof Readable) stream.resume();
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return performance.now() - began;
}

async function ours(commands: Commands, cwd: string): Promise<number> {
  const began = performance.now();
  const running = await RunningCommand.start(await prepared(commands, cwd), { maxBytes: 1024 * 1024 });
  const { exitCode } = await running.end();
  if (exitCode !== 0) throw new Error(`true ended with ${exitCode}`);
  return performance.now() - began;
}

async function prepared(commands: Commands, cwd: string): Promise<Launch> {
  const session = { id: "bench", agentId: "bench", model: "none" };
  const closed = { hidden: [], guarded: [], pinned: [] };
  const launch = await commands.prepare({ command: { argv: ["true"] }, use: "command", cwd, closed, session });
  if ("missing" in launch) throw new Error("there is no program `true`");
  return launch;
}
