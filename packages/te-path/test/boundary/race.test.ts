import { spawn } from "node:child_process";
import { closeSync, lstatSync, openSync, readSync, readdirSync, utimesSync } from "node:fs";
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Boundary } from "../../src/boundary/boundary.js";
import { RACE, raceFor } from "../swapped-root.js";
import { freshDir, plant } from "../tree.js";
import { boundariesOf, guardedIn } from "./opened.js";

// Swaps three folders of the root with links, in bursts; between two bursts all lie still for some milliseconds.
const SWAPPER = `
const { openSync, renameSync, writeSync } = require("node:fs");
const [, root, file] = process.argv;
const state = openSync(file, "r+");
const pause = new Int32Array(new SharedArrayBuffer(4));
let turns = 0;
const tell = () => writeSync(state, Buffer.from(new BigInt64Array([BigInt(++turns)]).buffer), 0, 8, 0);
const swap = (away, there) => {
  tell();
  for (const name of ["work", "repo", "mine"]) {
    renameSync(root + "/" + name, away + "/" + name);
    renameSync(there + "/" + name, root + "/" + name);
  }
  tell();
};
for (let burst = 0; ; burst++) {
  for (let at = 0; at < 100; at++) {
    swap(file + ".folders", file + ".links");
    if (at === 99 && burst % 2 === 0) Atomics.wait(pause, 0, 0, 15);
    swap(file + ".links", file + ".folders");
  }
  if (burst % 2 === 1) Atomics.wait(pause, 0, 0, 15);
}
`;

const STILL = ["second/repo/.git/config", "second/repo/.git/hooks"];
const SWAPPED = [
  "mine/repo/.git/config",
  "mine/repo/.git/hooks",
  "repo/.git/config",
  "repo/.git/hooks",
  "work/deep/repo/.git/config",
  "work/deep/repo/.git/hooks",
];
const ALL = [...STILL, ...SWAPPED].toSorted();

interface Race {
  readonly root: string;
  /** Every folder outside. */
  readonly outside: readonly string[];
  /** Device and inode of every file that may be guarded. */
  readonly inside: ReadonlySet<string>;
  /** Counts the beginning and the end of each swap: odd in the middle of one, twice odd while the names are links. */
  readonly turn: () => number;
}

const hooks = (path: string) => ({ [`${path}/.git/config`]: "", [`${path}/.git/hooks/pre-commit`]: "" });

/** A root whose `work`, `repo` and `mine` are links again and again: two of them to repositories outside, one inside. */
async function startRace(): Promise<Race> {
  const base = plant(freshDir(), {
    ...hooks("root/work/deep/repo"),
    ...hooks("root/repo"),
    ...hooks("root/mine/repo"),
    ...hooks("root/second/repo"),
    "outside/work/deep/repo/.envrc": "",
    ...hooks("outside/work/deep/other"),
    ...hooks("outside/repo"),
    "outside/repo/.vscode/tasks.json": "",
    "state.folders": null,
    "state.links/work": { to: "../outside/work" },
    "state.links/repo": { to: "../outside/repo" },
    "state.links/mine": { to: "second" },
    state: Buffer.alloc(8),
  });
  const [root, file] = [`${base}/root`, `${base}/state`];
  const outside = foldersBelow(`${base}/outside`);
  const inside = new Set(ALL.map((path) => identityOf(`${root}/${path}`)));
  for (const folder of outside) utimesSync(folder, 0, new Date());
  const state = openSync(file, "r");
  const turn = () => {
    const bytes = Buffer.alloc(8);
    readSync(state, bytes, 0, 8, 0);
    return Number(bytes.readBigInt64LE());
  };
  const child = spawn(process.execPath, ["-e", SWAPPER, root, file], { stdio: "inherit" });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
    closeSync(state);
  });
  await vi.waitFor(() => expect(turn()).toBeGreaterThan(0), 10_000);
  return { root, outside, inside, turn };
}

function foldersBelow(dir: string): string[] {
  const below = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [dir, ...below.flatMap(({ name }) => foldersBelow(`${dir}/${name}`))];
}

function identityOf(path: string): string {
  const { dev, ino } = lstatSync(path);
  return `${dev}:${ino}`;
}

/** Folders that were listed since their time of access was set to zero. */
function listedOf(folders: readonly string[]): string[] {
  return folders.filter((folder) => lstatSync(folder).atimeMs !== 0);
}

/** Returns whether the file system notes that a folder was listed; mounted with noatime it does not. */
function notesListings(): boolean {
  const dir = freshDir();
  utimesSync(dir, 0, new Date());
  readdirSync(dir);
  return listedOf([dir]).length > 0;
}

test(
  "no repository is missed and none outside is named while folders of the root are swapped with links",
  { timeout: RACE.seconds * 1000 + 90_000 },
  async () => {
    // As old as a time stamp has to be for a folder not to be listed again.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { root, outside, inside, turn } = await startRace();
    const swaps = () => Math.floor(turn() / 2) * 3;
    const notes = notesListings();
    const boundaries = boundariesOf(root);
    const seen = { folders: 0, links: 0, moving: 0 };
    const wrong = new Map<string, number>();
    const report = (what: string) => void wrong.set(what, (wrong.get(what) ?? 0) + 1);
    const judge = (boundary: Boundary, cwd: string, before: number) => {
      const guarded = guardedIn(boundary, root);
      for (const { path, identity } of boundary.guarded)
        if (!inside.has(identity)) report(`from outside: ${path.slice(root.length)}`);
      for (const path of guarded) if (!ALL.includes(path)) report(`not in the root: ${path}`);
      for (const path of STILL) if (!guarded.includes(path)) report(`missed: ${path}`);
      if (before !== turn() || before % 2 === 1) return void (seen.moving += 1);
      const isLinks = before % 4 === 2;
      seen[isLinks ? "links" : "folders"] += 1;
      for (const path of SWAPPED) {
        // On a busy machine only the command's own folder and those below it are searched each time.
        if (!isLinks && `${root}/${path}`.startsWith(`${cwd}/`) && !guarded.includes(path)) report(`missed: ${path}`);
        if (isLinks && guarded.includes(path)) report(`behind a link: ${path}`);
      }
    };

    await raceFor(
      { swaps },
      async (at) => {
        const before = turn();
        const cwd = at % 3 === 0 ? `${root}/work/deep/repo` : root;
        judge(await boundaries.around(cwd), cwd, before);
      },
      () => Math.min(seen.folders, seen.links, seen.moving) > 20,
    );

    expect(Object.fromEntries(wrong)).toEqual({});
    expect(Math.min(seen.folders, seen.links, seen.moving)).toBeGreaterThan(20);
    expect(swaps()).toBeGreaterThan(RACE.swaps);
    if (notes) expect(listedOf(outside)).toEqual([]);
  },
);
