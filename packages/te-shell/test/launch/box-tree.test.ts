import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { BoxTree } from "../../src/launch/box-tree.js";
import { named } from "../../../te-run/test/processes.js";

/** Forks an init that does not end with it, as bwrap does for a moment: it waits for a word that then never comes. */
const OUTER = (init: string): string => `sleep 600 ${init} & wait`;
const ROUNDS = 150;

test("whatever moment a box is ended at, before and after it has an init, nothing of it is left", async () => {
  const mark = `0.${randomUUID().replaceAll(/\D/g, "")}`;
  onTestFinished(() => endAll(mark));
  for (let round = 0; round < ROUNDS; round++) {
    const outer = spawn("/bin/sh", ["-c", OUTER(mark)], { stdio: "ignore", detached: true });
    let isReaped = false;
    const ended = once(outer, "exit").then(() => (isReaped = true));
    // Later each time, from before the shell has started to behind its fork.
    for (const until = performance.now() + (round % 30) / 10; performance.now() < until;);
    const tree = new BoxTree(outer.pid as number, {
      isReaped: () => isReaped,
      isWrapped: false,
      limitHit: () => undefined,
    });
    expect(await tree.end(0)).toEqual([]);
    await ended;
  }
  expect(named(`600 ${mark}`)).toEqual([]);
});

function endAll(mark: string): void {
  spawn("pkill", ["-KILL", "-f", `600 ${mark}`], { stdio: "ignore" });
}
