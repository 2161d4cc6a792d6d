import { expect, test } from "vitest";
import { KINDS, LONG_MS, stage } from "./stage.js";

const CELLS = KINDS.flatMap((kind) => [false, true].map((pty) => [kind, pty] as const));

test.for(CELLS)(
  "%s, terminal %s: the bound that it ran into is named",
  { timeout: 2 * LONG_MS },
  async ([kind, pty]) => {
    const { start } = await stage(kind, { maxMemoryMb: 128, maxFileBytes: 1024 * 1024 });

    // tail keeps what has no newline.
    const greedy = await start(["sh", "-c", "head -c 1G /dev/zero | tail | wc -c"], { pty });
    const endless = await start(["sh", "-c", "exec yes >big"], { pty });
    const modest = await start(["sh", "-c", "exit 3"], { pty });
    for (const each of [greedy, endless, modest]) await each.ended;

    expect(greedy.end?.limit).toBe("memory");
    expect(endless.end).toEqual({ exitCode: 153, signal: "SIGXFSZ", limit: "file size" });
    expect(modest.end).toEqual({ exitCode: 3, signal: null });
  },
);
