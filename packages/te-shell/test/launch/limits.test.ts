import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunningCommand, type CommandEnd } from "../../src/index.js";
import { freshMark, marked } from "../../../te-run/test/processes.js";
import { hasBubblewrap, place, type Place } from "./boxes.js";

async function ended({ prepare }: Place, line: string, env: Record<string, string> = {}): Promise<CommandEnd> {
  const launch = await prepare(line, { env });
  if ("missing" in launch) throw new Error("bash is missing");
  const running = await RunningCommand.start(launch, { maxBytes: 10_000 });
  const timer = setTimeout(() => running.stop("timeout"), 20_000);
  try {
    return await running.end();
  } finally {
    clearTimeout(timer);
  }
}

// Where no cgroup can be made the first column is the second one again.
describe.skipIf(!hasBubblewrap).each([
  ["held by a cgroup where one can be made", true],
  ["looked at now and then", false],
] as const)("%s", (_, usesCgroups) => {
  test("too many processes are ended, a bomb of forks among them, and nothing is left", async () => {
    const mark = freshMark();
    const here = place({ usesCgroups, maxPids: 64 });
    // Between two looks a bomb grows as fast as the machine forks: the tests beside this one would feel it.
    const bomb = usesCgroups
      ? "bomb() { bomb | bomb & }; bomb; sleep 2"
      : "for each in {1..99}; do sleep 600 & done; wait";
    const end = await ended(here, bomb, mark);

    expect(end.limit).toBe("processes");
    expect(marked(mark)).toEqual([]);
  });

  test("what takes too much memory is ended, and the machine is not", async () => {
    const here = place({ usesCgroups, maxMemoryMb: 128 });
    // tail keeps what has no newline.
    const end = await ended(here, "set -o pipefail; head -c 4G /dev/zero | tail | wc -c");

    expect(end).toMatchObject({ limit: "memory", exitCode: 137 });
  });
});

test.skipIf(!hasBubblewrap)("an endless file ends at the bound, and the result names it", async () => {
  const here = place({ maxFileBytes: 1024 * 1024 });
  const end = await ended(here, "yes > big");

  expect(end).toMatchObject({ limit: "file size", exitCode: 153 });
  expect(statSync(join(here.root, "big")).size).toBe(1024 * 1024);
});

test("without a sandbox the bounds hold too", async () => {
  const lists = { allowUnsafe: true, allowed: ["bash"] };
  const memory = await ended(place({ sandbox: "off", lists, maxMemoryMb: 128 }), "head -c 4G /dev/zero | tail | wc -c");
  expect(memory.limit).toBe("memory");
  const file = await ended(place({ sandbox: "off", lists, maxFileBytes: 1024 * 1024 }), "yes > big");
  expect(file.limit).toBe("file size");
});

test.each([
  ["in a sandbox", hasBubblewrap ? {} : { boxKind: "namespaces" as const }],
  ["without one", { sandbox: "off" as const, lists: { allowUnsafe: true, allowed: ["bash"] } }],
])("%s the kernel takes a command before us, and its descriptors and files have a bound", async (_, options) => {
  const { run } = place({ ...options, maxFileBytes: 1024 * 1024 });

  const { printed } = await run("cat /proc/self/oom_score_adj; ulimit -n; ulimit -f");

  expect(printed).toBe("500\n8192\n1024\n");
});
