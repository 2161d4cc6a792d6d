import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { awaited, keyNamed, type ManagedProcess } from "../../src/index.js";
import { KINDS, LONG_MS, NOTHING_CLOSED, stage, type Kind, type Stage } from "./stage.js";

/** What a program leaves beside itself. */
const LEFT: Readonly<Record<string, (mark: string) => string>> = {
  "a plain child": (mark) => `sleep ${mark} &`,
  "one in a session of its own": (mark) => `setsid sleep ${mark} &`,
  "one behind a double fork": (mark) => `(setsid sh -c 'sleep ${mark} & exec sleep 0.01' &);`,
  "one three forks deep, each in a session of its own": (mark) =>
    `setsid sh -c 'setsid sh -c "setsid sleep ${mark} & exec sleep 0.01" & exec sleep 0.01' &`,
  "one that ignores TERM": (mark) => `(trap '' TERM; exec sleep ${mark}) &`,
  "one that is stopped": (mark) => `sleep ${mark} & kill -STOP $!;`,
};

const DEATHS: Readonly<Record<string, (on: Stage, script: string) => Promise<void>>> = {
  stop: async (on, script) => {
    const { process } = await ready(on, script, "stopped");
    expect(await process.stop(300)).toEqual([]);
  },
  "session end": async (on, script) => {
    await ready(on, script, "ending");
    await on.managed.endOwner("ending");
  },
  "end of input": async (on, script) => {
    const { process } = await ready(on, script, "eof");
    await process.press(keyNamed("ctrl-d"));
    await process.ended;
  },
  timeout: async (on, script) => {
    const launch = await on.commands.prepare({
      command: { argv: ["sh", "-c", script] },
      use: "process",
      cwd: on.root,
      closed: NOTHING_CLOSED,
      session: { id: "s", agentId: "a", model: "m" },
    });
    if ("missing" in launch) throw new Error(launch.missing);
    const started = await launch.start({ stdin: "pipe" });
    const request = { owner: "timed", command: "sh", cwd: "/", launch, started, printed: [], endsInMs: 500 };
    await on.managed.adopt(request).ended;
  },
};

async function ready(on: Stage, script: string, owner: string): Promise<{ process: ManagedProcess }> {
  const process = await on.start(["sh", "-c", script], { owner });
  expect(await process.wait({ ms: LONG_MS, until: awaited("ready") })).toBe("matched");
  return { process };
}

const CELLS = KINDS.flatMap((kind) => Object.keys(LEFT).map((left) => [kind, left] as const));

test.for(CELLS)(
  "%s, %s: whatever ends the program, nothing of it is left",
  async ([kind, left]: readonly [Kind, string]) => {
    const on = await stage(kind);
    for (const [death, die] of Object.entries(DEATHS)) {
      const mark = `${randomInt(1_000_000, 9_000_000)}.5`;
      await die(on, `${LEFT[left]?.(mark)} echo ready; exec cat`);
      // The kernel is done with them a moment after it said so.
      await expect.poll(() => [death, alive(mark)], { timeout: LONG_MS }).toEqual([death, []]);
    }
  },
);

function alive(mark: string): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(`sleep\0${mark}\0`);
    } catch {
      return false;
    }
  });
}
