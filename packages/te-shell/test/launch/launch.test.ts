import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Launch } from "../../src/index.js";
import { hasBubblewrap, place, type Place } from "./boxes.js";

async function prepared({ prepare }: Place, words: readonly string[]): Promise<Launch> {
  const launch = await prepare(words);
  if ("missing" in launch) throw new Error(`${launch.missing} is missing`);
  return launch;
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

describe.each([
  ["without a sandbox", true, { sandbox: "off", lists: { allowUnsafe: true } }],
  ["in bubblewrap", hasBubblewrap, {}],
] as const)("%s", (_, isThere, options) => {
  describe.skipIf(!isThere)("a launch", () => {
    test("that was not started has no pid, takes no signal, and has nothing to end", async () => {
      const launch = await prepared(place(options), ["sleep", "600"]);

      expect([
        await launch.programPid(),
        await launch.signal("SIGTERM"),
        await launch.end(),
        launch.limitHit(),
      ]).toEqual([undefined, false, [], undefined]);
      await launch.release();
    });

    test("takes a signal for the program that runs", async () => {
      const launch = await prepared(place(options), [
        "sh",
        "-c",
        "trap 'echo caught; exit 3' INT; echo ready; while :; do sleep 0.1; done",
      ]);
      const { stdout, exit } = await launch.start({ stdin: "ignore" });
      await new Promise((resolve) => stdout.once("data", resolve));

      expect(await launch.signal("SIGINT")).toBe(true);
      expect([await textOf(stdout), (await exit).code]).toEqual(["caught\n", 3]);
      await launch.release();
    });

    test("has both streams in one, in the order of printing, where that is asked for", async () => {
      const line = "for i in 1 2 3; do echo out$i; echo err$i >&2; done";
      const launch = await prepared(place(options), ["sh", "-c", line]);
      const { stdout, stderr } = await launch.start({ stdin: "ignore", isOneStream: true });

      expect(await textOf(stdout)).toBe("out1\nerr1\nout2\nerr2\nout3\nerr3\n");
      expect(await textOf(stderr)).toBe("");
      await launch.release();
    });
  });
});

test.skipIf(!hasBubblewrap)("a data dir that the launch itself makes in a root is empty for its command", async () => {
  const outer = place();
  const [root, data] = [join(outer.root, "work"), join(outer.root, "work/data")];
  mkdirSync(root);
  const here = place({ roots: () => [{ path: root, real: root }], stateDir: data });

  const { code, printed } = await here.run("ls -A data; echo x > data/x", { cwd: root });
  expect(readdirSync(data)).toContain("commands");
  expect([code === 0, printed]).toEqual([false, expect.not.stringContaining("commands")]);
});
