// Measures what runs in one process, a case for each line that it is sent.
import { readFile } from "node:fs";
import { join } from "node:path";
import { settingsOf } from "@llmc/config";
import { createLinuxOps, type LinuxToolArgs } from "@llmc/linux-ops";
import { answerLines, type Cases, type Measured } from "./answer-lines.js";
import { openNoopServices } from "./noop-services.js";

interface Request {
  readonly path: string;
  readonly args: Readonly<Record<string, number>>;
  readonly count: number;
  readonly type: LinuxToolArgs<"SYS_INFO">["info_type"];
}

const [root = "/nowhere"] = process.argv.slice(2);
const ops = createLinuxOps({ roots: [root], dataDir: join(process.cwd(), "library") });
// What is kept for a moment would be measured as nothing.
const fresh = createLinuxOps({ config: settingsOf({ mcp: { linux_ops: { system: { sysinfo_cache_ms: 0 } } } }) });
const services = openNoopServices({ roots: [root], dataDir: join(process.cwd(), "pipeline") });
await services.ready();

const session = { id: "bench", agentId: "bench", model: "bench", token: "bench", owner: "bench" };
const bare = () => services.noop.handler({} as never, {});
const pipeline = () => services.dispatcher.call(services.noop.name, {}, { session, entry: "library" });

const cases: Cases<Request> = {
  readFile: ({ path }) => timed(() => readWhole(path)),
  fsRead: ({ path, args }) => timed(async () => (await ops.call("linux.fs_read", { path, ...args })).content),
  procList: () => timed(() => ops.call("linux.proc_list", {})),
  procListTurn: () => longestTurn(() => ops.call("linux.proc_list", {})),
  snapshot: () => timed(() => ops.call("linux.sys_snapshot", {})),
  sysInfo: ({ type }) => timed(() => fresh.call("SYS_INFO", { info_type: type })),
  bare: ({ count }) => each(count, bare),
  pipeline: ({ count }) => each(count, pipeline),
  burst: ({ count }) => burst(count, pipeline),
  bareBurst: ({ count }) => burst(count, bare),
};

async function timed(work: () => Promise<unknown>): Promise<Measured> {
  const start = performance.now();
  const got = await work();
  const ms = performance.now() - start;
  return { ms, first: typeof got === "string" ? got.slice(0, got.indexOf("\n")) : "" };
}

/** While that goes on: the longest time from one turn of the event loop to the next. */
async function longestTurn(work: () => Promise<unknown>): Promise<Measured> {
  let [isDone, longest, last] = [false, 0, performance.now()];
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isDone = true;
  look();
  return { ms: longest, first: "" };
}

async function each(count: number, work: () => Promise<unknown>): Promise<Measured> {
  const ms: number[] = [];
  while (ms.length < count) {
    const start = performance.now();
    await work();
    ms.push(performance.now() - start);
  }
  return { ms, first: "" };
}

/** Per call, with all that it leaves to do afterwards: its log line, its row, its counters. */
async function burst(count: number, work: () => Promise<unknown>): Promise<Measured> {
  const start = performance.now();
  for (let call = 0; call < count; call++) await work();
  await services.audit.flush();
  return { ms: (performance.now() - start) / count, first: "" };
}

function readWhole(path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readFile(path, (error, data) => (error ? reject(error) : resolve(data)));
  });
}

await answerLines(cases);
await ops.close();
await fresh.close();
await services.close();
