import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { opsWith, test } from "../../helpers.js";

// As te-process, which uses it, would find it; where it is not installed there is nothing to be taken away.
const { resolve } = createRequire(join(import.meta.dirname, "../../../../te-process/package.json"));
try {
  vi.doMock(resolve("@lydell/node-pty"), () => {
    throw new Error("not installed");
  });
} catch {
  console.warn("@lydell/node-pty is not installed");
}

/** Generous: an answer comes when it is there. */
const LONG = 20_000;
const SHELL = { command: "bash --norc -i", pty: true, cols: 60, rows: 10, wait_ms: LONG };
const hasScript = existsSync("/usr/bin/script");
if (!hasScript) console.warn("skipped: script is not installed");

test.skipIf(!hasScript)(
  "`script` makes the terminal, with the size of the start; a new one is refused by name",
  async ({ root }) => {
    const ops = opsWith(root, { linux_ops: { commands: { sandbox: "off", allow_unsafe: true } } });
    onTestFinished(() => ops.close());

    const { proc_id, why, note } = await ops.call("linux.proc_start", SHELL);
    expect([why, note]).toEqual(["prompt", "without @lydell/node-pty the terminal keeps its size"]);
    await expect(ops.call("linux.proc_send", { proc_id, cols: 70 })).rejects.toMatchObject({
      code: "ENGINE_UNAVAILABLE",
      message: expect.stringContaining("@lydell/node-pty"),
      hint: "Install it beside the server.",
    });
    const answer = await ops.call("linux.proc_send", { proc_id, input: "stty size", wait_ms: LONG });
    expect(answer.output).toContain("10 60");
  },
);
