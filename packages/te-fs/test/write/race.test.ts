import { appendFileSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import type { Files } from "../../src/index.js";
import { raceFor, raceUntilOutside, swappedRoot, type SwappedRoot } from "../../../te-path/test/swapped-root.js";
import { filesIn } from "../files.js";

const me = { owner: "o", session: "s" };
const ESCAPED = Buffer.from("ESCAPED");

interface Race {
  readonly ours: (files: Files, turn: number) => Promise<unknown>;
  /** What servers do that judge a string: it must lose, or the race proves nothing. */
  readonly double: (root: SwappedRoot, turn: number) => void;
}

function judged(root: string, path: string): string {
  const real = realpathSync(dirname(`${root}/${path}`));
  if (real !== root && !real.startsWith(`${root}/`)) throw new Error("outside");
  return `${root}/${path}`;
}

const RACES: Record<string, Race> = {
  "a write": {
    ours: (files, turn) =>
      files.write(turn % 2 === 0 ? `box/new${turn % 8}` : "file", ESCAPED, { ...me, mode: "rewrite" }),
    double: ({ root }, turn) => writeFileSync(judged(root, `box/new${turn % 8}`), ESCAPED),
  },
  "an append": {
    ours: (files, turn) => files.write(turn % 2 === 0 ? "box/secret" : "file", ESCAPED, { ...me, mode: "append" }),
    double: ({ root }) => appendFileSync(judged(root, "box/secret"), ESCAPED),
  },
  "the making of folders": {
    ours: (files, turn) => files.makeFolders(`box/new${turn}/below`, me),
    double: ({ root }, turn) => mkdirSync(judged(root, `box/new${turn}`)),
  },
};

test.for(Object.entries(RACES))(
  "%s never leads out while folders and files are swapped with links",
  { timeout: 120_000 },
  async ([, race]) => {
    const root = swappedRoot();
    const files = filesIn(root.root, { privatePaths: [] });
    const { done } = await raceFor(root, (turn) => race.ours(files, turn));
    expect(root.outsideNow()).toBe("secret=OUTSIDE");
    expect(done).toBeGreaterThan(20);
  },
);

test.for(Object.entries(RACES))(
  "%s after a look at the real path does lead out",
  { timeout: 120_000 },
  async ([, race]) => {
    const root = swappedRoot();
    expect(await raceUntilOutside(root, (turn) => race.double(root, turn))).not.toBe("secret=OUTSIDE");
  },
);
