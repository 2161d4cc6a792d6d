import { Duplex } from "node:stream";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { start, type Started } from "@llmc/te-run";
import type { Held, Launch } from "./launch.js";

/** What bwrap writes of itself is a few lines. */
const MAX_STATUS_CHARS = 4096;
/** Its last line may be read after the news of its end; whoever else holds the channel must not hold up the answer. */
const PATIENCE_MS = 300;

export interface StartedLaunch extends Started {
  readonly held: Held;
  /** What came on the descriptor 3; undefined where the launch has none. After the end. */
  status(): Promise<string | undefined>;
}

/** Starts a launch with pipes. A terminal's is started by whoever makes the terminal. */
export async function startLaunch(launch: Launch, stdin: "ignore" | "pipe"): Promise<StartedLaunch> {
  const { file, args, cwd, env, extra } = launch;
  const ready = stdin === "ignore" ? launch.ready?.() : undefined;
  const started = ready ?? (await start(file, [file, ...args], { cwd, env: { ...env }, stdin, extra }));
  const { child } = started;
  const held = launch.watch(started.pid, () => child.exitCode !== null || child.signalCode !== null);
  const channel = child.stdio[3];
  if (!(channel instanceof Duplex)) return { ...started, held, status: async () => undefined };
  let status = "";
  channel.on("error", () => undefined);
  const over = new Promise<void>((resolve) => {
    for (const event of ["end", "close"]) channel.once(event, () => resolve());
  });
  channel.on("data", (chunk: Buffer) => {
    if (status.length < MAX_STATUS_CHARS) status += chunk.toString("latin1");
  });
  // Nobody waits for it: it must not keep us from ending.
  (channel as unknown as { unref(): void }).unref();
  return {
    ...started,
    held,
    status: async () => {
      await patiently(over);
      return status;
    },
  };
}

async function patiently(over: Promise<void>): Promise<void> {
  const enough = new AbortController();
  try {
    await Promise.race([over, sleep(PATIENCE_MS, undefined, { signal: enough.signal })]);
    // On a busy machine the timer may fire before waiting bytes are looked at.
    await Promise.race([over, nextTurn().then(() => nextTurn())]);
  } finally {
    enough.abort();
  }
}
