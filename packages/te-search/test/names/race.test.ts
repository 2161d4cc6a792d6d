import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { findFd } from "../../src/names/fd-program.js";
import { escapes, ONLY_OUTSIDE, race, RACE_TIMEOUT, swapped } from "../swapped.js";
import { ask, FD, HELD_FD, namesIn, WALK } from "./tree.js";

const fd = await findFd(undefined);
const bareWalk = (path: string): string => readdirSync(path, { recursive: true }).join("\n");
const bareFd = (path: string): string =>
  execFileSync(fd?.program ?? "", ["needle", path], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

test.for([
  ["the walk", WALK, bareWalk],
  ["fd", FD, bareFd],
  ["fd in the cell", HELD_FD, bareFd],
] as const)(
  "%s finds no name from outside while folders are swapped with links out, and what goes by a judged path does",
  RACE_TIMEOUT,
  async ([name, setup, bare], { skip }) => {
    if (fd === undefined && name !== "the walk") return skip("fd is not installed");
    const where = swapped();
    const names = namesIn(where.root, setup);
    const strange = new Set<string>();
    let found = 0;
    const { done } = await race(
      where,
      async (turn) => {
        const root = turn % 2 === 0 ? where.root : `${where.root}/box`;
        const { hits } = await ask(names, root, {
          pattern: turn % 4 < 2 ? "needle" : "*",
          respectIgnore: turn % 8 < 4,
        });
        found += hits.length;
        for (const { way } of hits) if (way.includes(ONLY_OUTSIDE)) strange.add(way);
      },
      () => found > 0,
    );
    expect({ strange: [...strange], found: found > 0, done: done > 20 }).toEqual({
      strange: [],
      found: true,
      done: true,
    });
    expect(escapes(where, bare)).toBe(true);
  },
);
