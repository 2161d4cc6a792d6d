import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { MountTimeoutError, PermissionDeniedError } from "@llmc/errors";
import { afterEach, expect, test, vi } from "vitest";
import { drive } from "../../../te-path/src/kernel/drive.js";
import { Mounts } from "../../../te-path/src/kernel/mounts.js";
import { perform, type Work, type Syscall } from "../../../te-path/src/kernel/syscalls.js";
import { ownMark } from "../../src/locks/process-mark.js";
import { sweepTemps, type Swept } from "../../src/temps/sweep-temps.js";
import { recordLine } from "../../src/temps/temp-record.js";
import { createTemps } from "../../src/temps/temps.js";
import { plantDeep, runHere } from "../../../te-path/test/run-here.js";
import { bundled, run } from "../locks/programs.js";
import { scratch } from "../locks/scratch.js";

const dead = ownMark().replace(/\d+$/, "1");
const foreign = ownMark().replace("pid:[", "pid:[1");
const tempName = (digit: number): string => `.llmc-${String(digit).repeat(24)}.tmp`;
const NAMES = [tempName(1), tempName(2)];
const [first = "", second = ""] = NAMES;

interface Site {
  /** The data dir. */
  readonly dir: string;
  /** A folder of the user. */
  readonly data: string;
  /** Leaves the records of a process: these names in each of these folders. */
  readonly leave: (mark: string, folders?: readonly string[]) => string;
  readonly records: () => string[];
  readonly sweep: (options?: { mountinfo?: string; run?: <T>(work: Work<T>) => Promise<T> }) => Promise<Swept>;
}

let files = 0;

function site(): Site {
  const base = scratch();
  const [dir, data] = [join(base, "state"), join(base, "data")];
  mkdirSync(join(dir, "temps"), { recursive: true });
  mkdirSync(data);
  return {
    dir,
    data,
    leave(mark, folders = [data]) {
      const path = join(dir, "temps", `of-${String(files++).padStart(24, "0")}`);
      const lines = folders.flatMap((folder) => NAMES.map((name) => recordLine({ folder, name })));
      writeFileSync(path, `${mark}\n${lines.join("")}`, "latin1");
      return path;
    },
    records: () => readdirSync(join(dir, "temps")),
    sweep: ({ mountinfo, run: driven = runHere } = {}) =>
      sweepTemps(dir, { mounts: new Mounts(mountinfo), run: driven }, new AbortController().signal),
  };
}

/** The lines of a mount table that has a file system of this type at each of these points. */
function mountTable(type: string, points: readonly string[]): string {
  const path = join(scratch(), "mountinfo");
  const lines = ["/", ...points].map(
    (point, index) => `${index} 0 7:${index} / ${point} rw - ${point === "/" ? "ext4" : type} none rw\n`,
  );
  writeFileSync(path, lines.join(""));
  return path;
}

afterEach(() => void vi.useRealTimers());

test("what a process that was killed had under temporary names is removed, and nothing else", async () => {
  const { dir, data, records, sweep } = site();
  const odd = join(data, "späße \n");
  mkdirSync(odd);
  const child = run([process.execPath, await bundled("leave-temps"), dir, data, odd]);
  await child.says("ready");
  for (const folder of [data, odd]) {
    writeFileSync(join(folder, first), "not written down");
    writeFileSync(join(folder, "own"), "the user's");
  }
  const alive = [await sweep(), readdirSync(odd).length];
  await child.kill();
  const swept = await sweep();
  expect({ alive, swept, data: readdirSync(data), odd: readdirSync(odd), records: records() }).toEqual({
    alive: [{ removed: 0, problems: [] }, 4],
    swept: { removed: 4, problems: [] },
    data: [first, "own", "späße \n"],
    odd: [first, "own"],
    records: [],
  });
});

test("what this process itself is at stays", async () => {
  const { dir, data, sweep } = site();
  const temps = createTemps({ dir });
  writeFileSync(join(data, temps.name(data)), "");
  expect([await sweep(), readdirSync(data).length]).toEqual([{ removed: 0, problems: [] }, 1]);
  temps.close();
});

test("a link that somebody put in the place of a folder, or on the way to it, is not followed", async () => {
  const { data, leave, sweep } = site();
  const elsewhere = join(scratch(), "elsewhere");
  mkdirSync(join(elsewhere, "below"), { recursive: true });
  for (const folder of [elsewhere, join(elsewhere, "below")]) writeFileSync(join(folder, first), "another's");
  symlinkSync(elsewhere, join(data, "link"));
  writeFileSync(join(data, "file"), "");
  leave(dead, [join(data, "link"), join(data, "link", "below"), join(data, "file"), join(data, "file", "below")]);
  expect([await sweep(), readdirSync(elsewhere), readdirSync(join(elsewhere, "below"))]).toEqual([
    { removed: 0, problems: [] },
    [first, "below"],
    [first],
  ]);
});

test("a link under a temporary name, or in a tree of one, goes without what it leads to", async () => {
  const { data, leave, sweep } = site();
  const elsewhere = scratch();
  writeFileSync(join(elsewhere, "kept"), "");
  symlinkSync(elsewhere, join(data, first));
  mkdirSync(join(data, second));
  symlinkSync(elsewhere, join(data, second, "link"));
  leave(dead);
  expect([await sweep(), readdirSync(data), readdirSync(elsewhere)]).toEqual([
    { removed: 2, problems: [] },
    [],
    ["kept"],
  ]);
});

test("a tree goes however deep it is", async () => {
  const { data, leave, sweep } = site();
  mkdirSync(join(data, first));
  plantDeep(join(data, first), 3000);
  leave(dead);
  expect([await sweep(), readdirSync(data)]).toEqual([{ removed: 1, problems: [] }, []]);
});

const canStep = spawnSync("setpriv", ["--reuid", "65534", "--clear-groups", "true"]).status === 0;

test.skipIf(!canStep)(
  "a copy in which folders may not be written to goes as well (needs root and setpriv)",
  async () => {
    const { dir, data, leave, records } = site();
    leave(dead);
    for (const folder of ["", "/a", "/a/b"]) {
      mkdirSync(`${data}/${first}${folder}`);
      writeFileSync(`${data}/${first}${folder}/file`, "");
    }
    const program = await bundled("sweep-temps");
    const owned = spawnSync("chown", ["-R", "65534", join(data, ".."), join(program, "..")]);
    for (const folder of ["/a/b", "/a", ""]) chmodSync(`${data}/${first}${folder}`, 0o500);
    const told = await run(["setpriv", "--reuid", "65534", "--clear-groups", process.execPath, program, dir]).says(
      "ready",
    );
    expect([owned.status, told.split("\n")[0], readdirSync(data), records()]).toEqual([
      0,
      JSON.stringify({ removed: 1, problems: [], open: [] }),
      [],
      [],
    ]);
  },
);

test("a folder that is not there is looked for again, for a month: its disk may be away", async () => {
  const { data, leave, records, sweep } = site();
  const gone = join(data, "disk");
  const path = leave(dead, [gone]);
  const before = [await sweep(), records().length];
  mkdirSync(gone);
  writeFileSync(join(gone, first), "");
  renameSync(gone, `${gone}.away`);
  const month = 30 * 24 * 3600;
  utimesSync(path, Date.now() / 1000 - month + 60, Date.now() / 1000 - month + 60);
  const young = [await sweep(), records().length];
  renameSync(`${gone}.away`, gone);
  const back = [await sweep(), records().length, readdirSync(gone)];
  const old = leave(dead, [join(data, "never")]);
  utimesSync(old, Date.now() / 1000 - month - 60, Date.now() / 1000 - month - 60);
  expect({ before, young, back, old: [await sweep(), records().length] }).toEqual({
    before: [{ removed: 0, problems: [] }, 1],
    young: [{ removed: 0, problems: [] }, 1],
    back: [{ removed: 1, problems: [] }, 0, []],
    old: [{ removed: 0, problems: [] }, 0],
  });
});

test("a tree in which something was mounted stays, with its record, and the others go", async () => {
  const { data, leave, records, sweep } = site();
  for (const name of NAMES) mkdirSync(join(data, name, "mnt"), { recursive: true });
  leave(dead);
  const swept = await sweep({ mountinfo: mountTable("ext4", [join(data, first, "mnt")]) });
  expect([swept.removed, swept.problems, readdirSync(data), records().length]).toEqual([
    0,
    [expect.stringContaining(data)],
    [first],
    1,
  ]);
  expect([await sweep(), readdirSync(data), records()]).toEqual([{ removed: 1, problems: [] }, [], []]);
});

test("a network mount that does not answer is asked once, and what lies elsewhere is removed all the same", async () => {
  const { data, leave, records, sweep } = site();
  const folders = ["nfs/a", "local", "nfs/b", "smb/a"].map((name) => join(data, name));
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, first), "");
  }
  leave(dead, folders);
  const asked: (string | null)[] = [];
  const network = {
    call: async ({ mount }: Syscall) => {
      asked.push(mount);
      return { ok: false, error: new MountTimeoutError(`${mount}`), lost: true } as const;
    },
    release: () => {},
  };
  const mountinfo = mountTable("nfs4", [join(data, "nfs"), join(data, "smb")]);
  const { removed, problems } = await sweep({ mountinfo, run: (work) => drive(work, network) });
  expect({
    removed,
    problems: problems.length,
    asked,
    left: folders.map((folder) => readdirSync(folder).length),
  }).toEqual({
    removed: 1,
    problems: 2,
    asked: [join(data, "nfs"), join(data, "smb")],
    left: [1, 0, 1, 1],
  });
  expect([await sweep(), records()]).toEqual([{ removed: 3, problems: [] }, []]);
});

test("a process in another container is given a minute to show that it lives", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const { data, leave, records, sweep } = site();
  const [ours, theirs] = [join(data, "ours"), join(data, "folder")];
  const [living, own] = [leave(foreign), leave(ownMark(), [ours])];
  leave(foreign, [theirs]);
  for (const folder of [ours, theirs]) mkdirSync(folder);
  for (const folder of [data, ours, theirs]) writeFileSync(join(folder, first), "");
  const left = (): string[][] => [data, ours, theirs].map((folder) => readdirSync(folder));
  const swept = sweep();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  const before = left();
  await vi.advanceTimersByTimeAsync(59_000);
  utimesSync(living, 2 ** 32, 2 ** 32);
  await vi.advanceTimersByTimeAsync(1000);
  expect([before, await swept, left(), records().toSorted()]).toEqual([
    [[first, "folder", "ours"], [first], [first]],
    { removed: 1, problems: [] },
    [[first, "folder", "ours"], [first], []],
    [living, own].map((path) => basename(path)).toSorted(),
  ]);
});

test("a sweep that is to end leaves what it has not come to, and its records", async () => {
  const { dir, data, leave, records } = site();
  const folders = ["1", "2"].map((name) => join(data, name));
  for (const folder of folders) {
    mkdirSync(folder);
    writeFileSync(join(folder, first), "");
  }
  // So old that it would not be kept for its folders.
  utimesSync(leave(dead, folders), 1_000_000, 1_000_000);
  const ended = new AbortController();
  const driven = async <T>(work: Work<T>): Promise<T> => {
    const done = await runHere(work);
    if (readdirSync(folders[0] ?? "").length === 0) ended.abort();
    return done;
  };
  const swept = await sweepTemps(dir, { mounts: new Mounts(), run: driven }, ended.signal);
  expect([swept.removed, readdirSync(folders[1] ?? ""), records().length]).toEqual([1, [first], 1]);
});

test("a network mount that refuses one folder is asked about the next", async () => {
  const { data, leave, sweep } = site();
  const folders = ["a", "b"].map((name) => join(data, name));
  for (const folder of folders) {
    mkdirSync(folder);
    writeFileSync(join(folder, first), "");
  }
  leave(dead, folders);
  let calls = 0;
  const network = {
    call: async (call: Syscall) => {
      if (calls++ > 0) return { ok: true, value: perform(call) } as const;
      return { ok: false, error: new PermissionDeniedError("it"), lost: false } as const;
    },
    release: () => {},
  };
  const swept = await sweep({ mountinfo: mountTable("nfs4", [data]), run: (work) => drive(work, network) });
  expect([swept.removed, swept.problems.length, readdirSync(folders[0] ?? "")]).toEqual([1, 1, [first]]);
});

test("a record that somebody begins to write to again stays", async () => {
  const { leave, records, sweep } = site();
  const path = leave(dead);
  const waking = async <T>(work: Work<T>): Promise<T> => {
    const done = await runHere(work);
    utimesSync(path, 2 ** 32, 2 ** 32);
    return done;
  };
  await sweep({ run: waking });
  expect(records().length).toBe(1);
});

test("what is no record is left alone, and one that cannot be read keeps no other from being swept", async () => {
  const { dir, data, leave, records, sweep } = site();
  mkdirSync(join(dir, "temps", `of-${"a".repeat(24)}`));
  writeFileSync(join(dir, "temps", "something else"), readFileSync(leave(dead)));
  symlinkSync(leave(dead, []), join(dir, "temps", `of-${"b".repeat(24)}`));
  writeFileSync(join(data, first), "");
  const { removed, problems } = await sweep();
  expect([removed, problems, records().toSorted()]).toEqual([
    1,
    [expect.stringMatching(/^The record of-a+ .* EISDIR/), expect.stringMatching(/^The record of-b+ .* ELOOP/)],
    [`of-${"a".repeat(24)}`, `of-${"b".repeat(24)}`, "something else"],
  ]);
});

test("a FIFO in the place of a record is not waited for", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const { dir, records, sweep } = site();
  execFileSync("mkfifo", [join(dir, "temps", `of-${"a".repeat(24)}`)]);
  const swept = sweep();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([await swept, records()]).toEqual([{ removed: 0, problems: [] }, []]);
});

test("a record of any size is read as far as that makes sense", async () => {
  const { data, leave, records, sweep } = site();
  writeFileSync(join(data, first), "");
  truncateSync(leave(dead), 2 ** 40);
  expect([await sweep(), records()]).toEqual([{ removed: 1, problems: [] }, []]);
});

test("what another server sweeps at the same time is no problem, and no descriptor is left open", async () => {
  const { data, leave, records, sweep } = site();
  const open = (): number => readdirSync("/proc/self/fd").length;
  const before = open();
  leave(dead);
  const path = leave(dead, [data, join(data, "none")]);
  const racing = async <T>(work: Work<T>): Promise<T> => {
    rmSync(path, { force: true });
    return await runHere(work);
  };
  expect([await sweep({ run: racing }), records(), open()]).toEqual([{ removed: 0, problems: [] }, [], before]);
});

test("problems are told by the name of the folder, and are not too many", async () => {
  const { data, leave, sweep } = site();
  const folders = Array.from({ length: 30 }, (_, index) => join(data, String(index)));
  for (const folder of folders) mkdirSync(join(folder, first, "mnt"), { recursive: true });
  leave(dead, folders);
  const { problems } = await sweep({
    mountinfo: mountTable(
      "ext4",
      folders.map((folder) => join(folder, first, "mnt")),
    ),
  });
  expect([
    problems.length,
    problems[0]?.startsWith(`A temporary file of a killed server stays in ${folders[0]}: `),
  ]).toEqual([20, true]);
});

test("where nothing was ever written down there is nothing to say, and where nothing can be looked for that is an error", async () => {
  const { data } = site();
  const options = { mounts: new Mounts(), run: runHere };
  const { signal } = new AbortController();
  const file = join(data, "file");
  writeFileSync(file, "");
  expect(await sweepTemps(join(data, "none"), options, signal)).toEqual({ removed: 0, problems: [] });
  await expect(sweepTemps(file, options, signal)).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("a sweep that waits ends with its signal", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const { dir, leave, records } = site();
  leave(foreign);
  const ended = new AbortController();
  const swept = sweepTemps(dir, { mounts: new Mounts(), run: runHere }, ended.signal);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  ended.abort();
  await expect(swept).rejects.toMatchObject({ code: "CANCELLED" });
  expect([vi.getTimerCount(), records().length]).toEqual([0, 1]);
});
