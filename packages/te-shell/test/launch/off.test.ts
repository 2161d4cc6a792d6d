import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { freshMark, marked } from "../../../te-run/test/processes.js";
import { place } from "./boxes.js";

const OFF = { sandbox: "off", lists: { allowUnsafe: true } } as const;

test("without a sandbox a command runs on the machine, and says so", async () => {
  const { root, run, prepare } = place(OFF);

  expect(await run(["pwd"])).toEqual({ code: 0, printed: `${root}\n` });
  expect(await prepare(["ls"])).toMatchObject({ facts: { sandbox: "off", network: true, held: "watcher" } });
});

test("policy counts: what runs anything it is told is refused", async () => {
  const { run } = place({ sandbox: "off" });

  await expect(run(["python3", "-c", "1"])).rejects.toMatchObject({ code: "COMMAND_NOT_ALLOWED" });
  await expect(run("ls | wc")).rejects.toMatchObject({ code: "COMMAND_NOT_ALLOWED" });
});

test("an end takes what left the session with it", async () => {
  const { prepare } = place(OFF);
  const mark = freshMark();
  const launch = await prepare(["bash", "-c", "setsid sleep 600 & (sleep 601 &); echo ready; sleep 602"], {
    env: mark,
  });
  if ("missing" in launch) throw new Error("bash is missing");
  const started = await launch.start({ stdin: "ignore" });
  await once(started.stdout, "data");

  expect(await launch.end(50)).toEqual([]);
  expect(marked(mark)).toEqual([]);
});

test("what a command has left running ends with its server, and its group goes with it", async (context) => {
  const { commands, run } = place(OFF);
  const mark = freshMark();
  const { printed } = await run(["bash", "-c", "sleep 600 >/dev/null 2>&1 & cat /proc/self/cgroup"], { env: mark });
  const groups = printed
    .split("\n")
    .filter((line) => line.includes("/llmc-"))
    .map((line) => line.split(":"))
    .flatMap(([, controllers = "", path = ""]) => [path, `/${basename(path)}`].map((at) => `${controllers}${at}`))
    .map((at) => join("/sys/fs/cgroup", at));
  if (groups.length === 0) context.skip("no groups can be made here");
  expect(groups.filter((group) => existsSync(group))).not.toEqual([]);
  expect(marked(mark)).toHaveLength(1);

  await commands.close();
  expect(groups.filter((group) => existsSync(group))).toEqual([]);
  expect(marked(mark)).toEqual([]);
});

test("a data dir that takes nothing does not keep a command from running", async () => {
  const full = join(place(OFF).outside, "file");
  writeFileSync(full, "");
  const { run } = place({ ...OFF, stateDir: full });

  expect(await run(["echo", "here"])).toEqual({ code: 0, printed: "here\n" });
});
