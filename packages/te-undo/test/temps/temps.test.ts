import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { ownMark } from "../../src/locks/process-mark.js";
import { parseRecord, recordLine } from "../../src/temps/temp-record.js";
import { createTemps, type OpenTemps } from "../../src/temps/temps.js";
import { bundled, run } from "../locks/programs.js";
import { scratch } from "../locks/scratch.js";

const NAME = /^\.llmc-[0-9a-f]{24}\.tmp$/;

interface Site {
  readonly temps: OpenTemps;
  readonly folder: string;
  readonly problems: string[];
  /** What this process has written down: the text of its only file. */
  readonly written: () => string;
}

function site(dir = scratch()): Site {
  const problems: string[] = [];
  const temps = createTemps({ dir, onProblem: (message) => problems.push(message) });
  onTestFinished(() => temps.close());
  const folder = join(dir, "temps");
  const written = (): string => {
    const [file, ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    return readFileSync(join(folder, file ?? ""), "latin1");
  };
  return { temps, folder, problems, written };
}

afterEach(() => void vi.useRealTimers());

test("names are fresh and not to be guessed", () => {
  const temps = createTemps({ dir: null });
  const names = Array.from({ length: 1000 }, () => temps.name("/data"));
  expect([new Set(names).size, names.every((name) => NAME.test(name))]).toEqual([1000, true]);
});

test("a name is written down, under whose it is and where it lies, before it is given away", () => {
  const { temps, folder, written } = site();
  const folders = ["/data", '/odd \n "name" \xff\x00'.replace("\0", "\x01")];
  const names = folders.map((each) => temps.name(each));
  const [mark, ...lines] = written().split("\n");
  expect([mark, lines.map(parseRecord).filter((record) => record !== undefined)]).toEqual([
    ownMark(),
    folders.map((each, index) => ({ folder: each, name: names[index] })),
  ]);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, readdirSync(folder)[0] ?? "")).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
});

test("once all is done and much was written the file is short again", () => {
  const { temps, written } = site();
  const names = Array.from({ length: 1500 }, () => temps.name("/data/some/folder"));
  for (const name of names.slice(1)) temps.done("/data/some/folder", name);
  const long = written().length;
  temps.done("/data/some/folder", names[0] ?? "");
  const last = temps.name("/data");
  expect([long > 64 * 1024, written()]).toEqual([true, `${ownMark()}\n${recordLine({ folder: "/data", name: last })}`]);
  temps.done("/data", last);
  expect(written().length).toBeGreaterThan(100);
});

test("a file that is short stays as it is", () => {
  const { temps, written } = site();
  const name = temps.name("/data");
  temps.done("/data", name);
  expect(written()).toBe(`${ownMark()}\n${recordLine({ folder: "/data", name })}`);
});

test("where something is outstanding all the time the file does not grow for ever, and that stays in it", () => {
  const { temps, written } = site();
  const lasting = temps.name("/data/lasting");
  let longest = 0;
  for (let index = 0; index < 5000; index++) {
    temps.done("/data/some/folder", temps.name("/data/some/folder"));
    if (index % 100 === 0) longest = Math.max(longest, written().length);
  }
  expect([longest < 80 * 1024, longest > 50 * 1024, written().includes(lasting)]).toEqual([true, true, true]);
});

test("of many that are outstanding at once none is lost, and few files are made for them", () => {
  const { temps, folder, written } = site();
  const files = new Set<string>();
  const names = Array.from({ length: 3000 }, () => {
    const name = temps.name("/data/some/folder");
    for (const file of readdirSync(folder)) files.add(file);
    return name;
  });
  const text = written();
  expect([names.filter((name) => !text.includes(name)), files.size]).toEqual([[], 3]);
});

test("where there can be no second file the first one grows on", () => {
  const { temps, folder, problems } = site();
  temps.name("/data/lasting");
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, "");
  const names = Array.from({ length: 2000 }, () => temps.name("/data/some/folder"));
  const text = readFileSync(join(`${folder}.away`, readdirSync(`${folder}.away`)[0] ?? ""), "latin1");
  expect([problems, names.filter((name) => !text.includes(name))]).toEqual([[], []]);
});

test("no descriptor is left open", () => {
  const open = (): number => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let round = 0; round < 5; round++) {
    const { temps } = site();
    temps.name("/data");
    temps.close();
    const done = site();
    done.temps.done("/data", done.temps.name("/data"));
    done.temps.close();
  }
  const spoilt = site(join(scratch(), "state"));
  writeFileSync(dirname(spoilt.folder), "");
  spoilt.temps.name("/data");
  expect(open()).toBe(before);
});

test("when it is closed nothing is left behind, but what is outstanding is", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const [one, two] = [site(), site()];
  one.temps.done("/data", one.temps.name("/data"));
  const left = two.temps.name("/data");
  one.temps.close();
  two.temps.close();
  two.temps.done("/data", left);
  expect([readdirSync(one.folder), two.written().includes(left), vi.getTimerCount()]).toEqual([[], true, 0]);
});

test("while something is outstanding there is a sign of life every ten seconds", () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  const { temps, folder } = site();
  const name = temps.name("/data");
  const path = join(folder, readdirSync(folder)[0] ?? "");
  const beats = (): boolean => {
    utimesSync(path, 1, 1);
    vi.advanceTimersByTime(10_000);
    return statSync(path).mtimeMs > 1_000_000;
  };
  const busy = beats();
  temps.done("/data", name);
  expect([busy, beats(), vi.getTimerCount()]).toEqual([true, false, 0]);
});

test("when another server has swept the file away there is a new one with all that is outstanding", () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  const { temps, folder, written } = site();
  const first = temps.name("/data");
  rmSync(folder, { recursive: true });
  vi.advanceTimersByTime(10_000);
  const beaten = written().includes(first);
  temps.done("/data", first);
  vi.advanceTimersByTime(20_000);
  rmSync(folder, { recursive: true });
  const second = temps.name("/data");
  expect([beaten, written().includes(second)]).toEqual([true, true]);
});

test("where names cannot be written down they are given all the same, and that is said once", () => {
  const dir = join(scratch(), "state");
  writeFileSync(dir, "");
  const { temps, problems } = site(dir);
  const names = [temps.name("/data"), temps.name("/data")];
  temps.done("/data", names[0] ?? "");
  temps.close();
  expect([names.every((name) => NAME.test(name)), problems]).toEqual([
    true,
    [expect.stringMatching(/^A temporary file may stay if the server is killed: ENOTDIR/)],
  ]);
});

test("a disk that is full is said, leaves no half of a file, and loses no name that was written down", async () => {
  const dir = scratch();
  mkdirSync(join(dir, "data"));
  const script = 'ulimit -f 1; exec "$0" "$@"';
  const argv = ["/bin/sh", "-c", script, process.execPath, await bundled("many-temps"), dir] as const;
  const [told = "", kept = ""] = (await run(argv).says("ready")).split("\n");
  const text = readFileSync(join(dir, "temps", readdirSync(join(dir, "temps"))[0] ?? ""), "latin1");
  const found = text.split("\n").filter((line) => parseRecord(line) !== undefined);
  expect([told, found.length >= Number(kept), Number(kept) > 0]).toEqual([
    expect.stringMatching(/^A temporary file may stay if the server is killed: /),
    true,
    true,
  ]);
});

test("a new file that has no room for all that is outstanding is not kept", async () => {
  const dir = join(scratch(), "state");
  writeFileSync(dir, "");
  const script = 'ulimit -f 1; exec "$0" "$@"';
  const told = await run(["/bin/sh", "-c", script, process.execPath, await bundled("late-temps"), dir]).says("ready");
  expect([told.split("\n")[0], readdirSync(join(dir, "temps"))]).toEqual(["100 names", []]);
});

test("what is written down is read back, whatever the folder is called", () => {
  const name = `.llmc-${"0".repeat(24)}.tmp`;
  const letter = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));
  const component = fc
    .string({ unit: letter, minLength: 1, maxLength: 20 })
    .map((text) => text.replaceAll("/", "_"))
    .filter((text) => text !== "." && text !== "..");
  fc.assert(
    fc.property(fc.array(component, { maxLength: 5 }), (names) => {
      const record = { folder: `/${names.join("/")}`, name };
      const [before, line = "", ...more] = recordLine(record).split("\n");
      expect([before, more, parseRecord(line)]).toEqual(["", [], record]);
    }),
  );
});

test.each([
  ["", "nothing"],
  ['["/data",', "half a line"],
  ["{}", "something else"],
  ["null", "nothing at all"],
  ['{"length":2}', "something like it"],
  ['["/data",[".llmc-000000000000000000000000.tmp"]]', "a list for a name"],
  ['["/data"]', "no name"],
  ['["/data",".llmc-000000000000000000000000.tmp","more"]', "more than that"],
  ['["/data",5]', "a name that is none"],
  ['[5,".llmc-000000000000000000000000.tmp"]', "a folder that is none"],
  ['["data",".llmc-000000000000000000000000.tmp"]', "a relative folder"],
  ['["/data/..",".llmc-000000000000000000000000.tmp"]', "a way up"],
  ['["/data/.",".llmc-000000000000000000000000.tmp"]', "a way nowhere"],
  ['["/data\\u0000",".llmc-000000000000000000000000.tmp"]', "a NUL"],
  ['["/data","x.llmc-000000000000000000000000.tmp"]', "something before the name"],
  ['["/data",".llmc-000000000000000000000000.tmp/x"]', "a path for a name"],
  ['["/data","../etc"]', "another name"],
  ['["/data",".llmc-000000000000000000000000.tmp\\n"]', "a line break after the name"],
])("%s is no record: %s", (line) => {
  expect(parseRecord(line)).toBeUndefined();
});
