import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mayLeaveBehind } from "../../src/launch/left-behind.js";
import { RunningCommand, type CommandEnd } from "../../src/index.js";
import { hasBubblewrap, hasNamespaces, place, type Place } from "./boxes.js";

async function run({ prepare }: Place, command: string | readonly string[]): Promise<CommandEnd> {
  const launch = await prepare(command);
  if ("missing" in launch) throw new Error(`${launch.missing} is missing`);
  return await (await RunningCommand.start(launch, { maxBytes: 10_000 })).end();
}

const TIERS = [
  ["bubblewrap", hasBubblewrap, {}],
  ["namespaces", hasNamespaces, { boxKind: "namespaces" }],
] as const;

describe.each(TIERS)("in %s", (_, isThere, options) => {
  describe.skipIf(!isThere)("a line with a background job", () => {
    test("names the programs that ended with it, by their own words", async () => {
      const here = place(options);
      const line = `sleep 600.25 & sh -c 'sleep 600.5; echo "a b"' & echo started`;
      for (let round = 0; round < 3; round += 1) {
        const { leftBehind, exitCode, stdout, stderr } = await run(here, line);
        expect([exitCode, stdout.head().toString(), stderr.head().toString()]).toEqual([0, "started\n", ""]);
        expect(leftBehind).toContainEqual(["sleep", "600.25"]);
        expect(leftBehind).toContainEqual(["sh", "-c", 'sleep 600.5; echo "a b"']);
      }
    });

    test("names a program though its shell ended before the program was executed", async () => {
      const here = place(options);
      for (let round = 0; round < 5; round += 1)
        expect((await run(here, "sleep 600.25 &")).leftBehind).toEqual([["sleep", "600.25"]]);
    });

    test("names its own line if only its shell goes on", async () => {
      const here = place(options);
      const line = "(while :; do :; done) &";
      expect((await run(here, line)).leftBehind).toEqual([[expect.stringMatching(/bash$/), "-c", line]]);
    });

    test("names nothing if all has ended, and keeps exit code, signal and descriptors", async () => {
      const here = place(options);
      expect(await run(here, "sleep 0.01 & wait; exit 3")).not.toHaveProperty("leftBehind");
      expect((await run(here, "true & kill -TERM $$")).exitCode).toBe(143);
      const descriptors = async (begin: string) =>
        (await run(here, `${begin} ls /proc/self/fd | tr '\\n' ' '`)).stdout.head().toString();
      expect(await descriptors("true &")).toBe(await descriptors("true;"));
    });

    test("lets a program finish what it does at a signal to all", async () => {
      const here = place(options);
      const done = join(here.root, "done");
      const line = `trap 'echo > ${done}; exit' TERM; echo > ${here.root}/ready; sleep 600 & wait`;
      const launch = await here.prepare(line);
      if ("missing" in launch) throw new Error("bash is missing");
      const running = await RunningCommand.start(launch, { maxBytes: 10_000 });
      await expect.poll(() => existsSync(join(here.root, "ready")), { timeout: 20_000 }).toBe(true);
      running.stop("timeout");
      expect((await running.end()).exitCode).toBe(124);
      expect(existsSync(done)).toBe(true);
    });

    test("is named by words that no program can make up as another row", async () => {
      const here = place(options);
      const odd = join(here.root, "odd\nname");
      writeFileSync(odd, "#!/bin/sh\nsleep 600\n");
      chmodSync(odd, 0o755);
      const { leftBehind = [] } = await run(here, `"$PWD/odd\nname" $'x\\x1e' & sleep 0.2`);
      expect(leftBehind.flat().join(" ")).toContain("odd\nname");
    });
  });
});

test.skipIf(!hasBubblewrap)("a prestarted shell becomes such a command too", async () => {
  const here = place();
  for (let round = 0; round < 4; round += 1) {
    expect(await run(here, "true")).not.toHaveProperty("leftBehind");
    expect((await run(here, "sleep 600.25 & echo")).leftBehind).toEqual([["sleep", "600.25"]]);
  }
});

test("without a sandbox nothing ends with the command, so nothing is named", async () => {
  const here = place({ sandbox: "off", lists: { allowUnsafe: true, commands: ["bash"] } });
  expect(await run(here, "sleep 0.3 & echo")).not.toHaveProperty("leftBehind");
});

test.each([
  ["node src/server.js &", true],
  ["(cd x && npm start) & disown", true],
  ["a & b", true],
  ["a && b", false],
  ["a 2>&1 | b", false],
  ["a &> log", false],
  ["a |& b", false],
  ["a >&2; b <&3", false],
])("%s may leave something behind: %s", (line, may) => {
  expect(mayLeaveBehind(["bash", "-c", line])).toBe(may);
  expect(mayLeaveBehind(["/bin/sh", "-ec", line])).toBe(may);
  expect(mayLeaveBehind(["curl", "-c", line])).toBe(false);
});
