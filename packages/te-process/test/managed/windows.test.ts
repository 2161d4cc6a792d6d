import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { heard, KINDS, NOTHING_CLOSED, SIZE, stage, type Kind } from "./stage.js";

/** What a terminal is made with; undefined: there is none. */
const HANDS = [undefined, "node-pty", "script"] as const;
const CELLS = KINDS.flatMap((kind) => HANDS.map((hand) => [kind, hand] as const));

test.for(CELLS)(
  "a working folder that goes away between decision and start is named: %s, terminal by %s",
  async ([kind, hand]: readonly [Kind, (typeof HANDS)[number]]) => {
    const { commands, managed, root } = await stage(kind, { nodePty: hand === "node-pty" });
    const cwd = join(root, "folder");
    mkdirSync(cwd);
    const launch = await commands.prepare({
      command: { argv: ["cat"] },
      use: "process",
      cwd,
      closed: NOTHING_CLOSED,
      session: { id: "me", agentId: "a", model: "m" },
      ...(hand === undefined ? {} : { terminal: { ...SIZE, outer: hand === "node-pty" } }),
    });
    if ("missing" in launch) throw new Error("cat is missing");
    rmSync(cwd, { recursive: true });
    const size = hand === undefined ? undefined : SIZE;

    const starting = managed.start({ owner: "me", command: "cat", cwd, launch, size });

    // Without a box the kernel says so to whoever starts it; node-pty and a box have begun by then.
    if (kind === "off" && hand !== "node-pty")
      return expect(starting).rejects.toMatchObject({ code: "NOT_FOUND", message: expect.stringContaining(cwd) });
    const started = await starting;
    await started.ended;
    expect(started.end).toEqual({ exitCode: 126, signal: null });
    expect((await heard(started)).text).toContain(`${cwd} does not exist. The working folder must exist.`);
  },
);
