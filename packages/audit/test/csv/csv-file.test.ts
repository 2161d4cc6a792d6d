import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CSV_HEADER } from "../../src/csv/csv.js";
import { csvFile } from "../../src/csv/csv-file.js";
import { tempDir } from "../fixture.js";
import { parseCsv } from "../parse-csv.js";

const LINE = '"a","b"\n';
const program = (name: string) => join(import.meta.dirname, "../programs", name);

describe("the token audit file", () => {
  test("is made with its header, for its owner only, its folder included", () => {
    const path = join(tempDir(), "artifacts", "audit.csv");
    const file = csvFile({ path, retentionDays: 0 });
    file.append(LINE);
    file.append(LINE);
    file.close();

    expect(readFileSync(path, "utf8")).toBe(CSV_HEADER + LINE + LINE);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, ".."))).toEqual(["audit.csv"]);
  });

  test("is continued where it exists, and gets its header where it is empty", () => {
    const dir = tempDir();
    for (const [name, before] of [
      ["full.csv", "old\n"],
      ["empty.csv", ""],
    ] as const) {
      const path = join(dir, name);
      writeFileSync(path, before);
      const file = csvFile({ path, retentionDays: 0 });
      file.append(LINE);
      file.close();
      expect(readFileSync(path, "utf8")).toBe((before || CSV_HEADER) + LINE);
    }
  });

  test("that was moved away is begun anew", () => {
    const path = join(tempDir(), "audit.csv");
    const file = csvFile({ path, retentionDays: 0 });
    file.append(LINE);
    renameSync(path, `${path}.1`);
    file.append(LINE);
    file.close();

    expect(readFileSync(path, "utf8")).toBe(CSV_HEADER + LINE);
    expect(readFileSync(`${path}.1`, "utf8")).toBe(CSV_HEADER + LINE);
  });

  test("is refused at once where the name is a FIFO, a device, a link or a folder", () => {
    const dir = tempDir();
    execFileSync("mkfifo", [join(dir, "fifo")]);
    writeFileSync(join(dir, "target"), "");
    symlinkSync(join(dir, "target"), join(dir, "link"));
    mkdirSync(join(dir, "folder"));
    const refusal = (path: string) => {
      try {
        csvFile({ path, retentionDays: 1 }).append(LINE);
      } catch (thrown) {
        return (thrown as Error).message.replace(dir, "");
      }
      return null;
    };

    expect([join(dir, "fifo"), "/dev/null", join(dir, "link"), join(dir, "folder")].map(refusal)).toEqual([
      "The token audit /fifo could not be written: it is a FIFO or a device, not a file",
      "The token audit /dev/null could not be written: it is a FIFO or a device, not a file",
      "The token audit /link could not be written: it is a symbolic link",
      "The token audit /folder could not be written: it is a folder",
    ]);
    expect(readFileSync(join(dir, "target"), "utf8")).toBe("");
  });

  test("is refused where the FIFO has a reader as well", async () => {
    const path = join(tempDir(), "fifo");
    execFileSync("mkfifo", [path]);
    const reader = fork(program("hold-fifo.mjs"), [path], { execArgv: [] });
    await once(reader, "message");

    expect(() => csvFile({ path, retentionDays: 0 }).append(LINE)).toThrow("not a file");

    reader.kill();
    await once(reader, "exit");
  });

  test("shared by several processes has one header and only whole lines", async () => {
    const path = join(tempDir(), "audit.csv");
    const writers = [1, 2, 3].map((name) =>
      fork(program("append-csv.ts"), [path, String(name)], {
        execArgv: ["--conditions=llmc-source", "--import", "tsx"],
      }),
    );
    await Promise.all(writers.map((writer) => once(writer, "message")));
    for (const writer of writers) writer.send("go");
    const codes = await Promise.all(writers.map((writer) => once(writer, "exit")));

    expect(codes.map(([code]) => code as number)).toEqual([0, 0, 0]);
    const rows = parseCsv(readFileSync(path, "utf8"));
    expect(rows.filter(([first]) => first === "timestamp")).toHaveLength(1);
    for (const name of ["1", "2", "3"]) {
      const mine = rows.filter(([first]) => first === name).map(([, number]) => Number(number));
      expect(mine).toEqual(Array.from({ length: 500 }, (_, number) => number));
    }
  });

  test("on a full disk holds whole lines only, and goes on when there is room", () => {
    const path = join(tempDir(), "audit.csv");
    // The shell's limit on the size of a file stands for the disk: the kernel writes what fits and then refuses.
    const script = 'ulimit -f 8; exec "$0" --conditions=llmc-source --import tsx "$1" "$2"';
    const output = execFileSync("sh", ["-c", script, process.execPath, program("fill-csv.ts"), path], {
      encoding: "utf8",
    });

    expect(JSON.parse(output)).toEqual({
      problem: `The token audit ${path} could not be written: the disk is full`,
      wholeBefore: true,
    });
    expect(parseCsv(readFileSync(path, "utf8")).at(-1)).toEqual(["short"]);
  });
});

describe("retention", () => {
  const DAY = 86_400_000;
  const day = (back: number) => new Date(Date.now() - back * DAY).toISOString().slice(0, 10);

  function agedFile(dir: string, back: number): string {
    const path = join(dir, "audit.csv");
    writeFileSync(path, `${CSV_HEADER}"old"\n`);
    const then = (Date.now() - back * DAY) / 1000;
    utimesSync(path, then, then);
    return path;
  }

  test("0 keeps all in one file", () => {
    const dir = tempDir();
    const path = agedFile(dir, 400);
    csvFile({ path, retentionDays: 0 }).append(LINE);

    expect(readdirSync(dir)).toEqual(["audit.csv"]);
    expect(readFileSync(path, "utf8")).toBe(`${CSV_HEADER}"old"\n${LINE}`);
  });

  test("puts each day's lines in a file of their own and deletes those that are too old, nothing else", () => {
    const dir = tempDir();
    const path = agedFile(dir, 1);
    const others = [
      `audit.${day(7)}.csv`,
      `audit.${day(8)}.csv`,
      `audit.${day(9)}.2.csv`,
      "audit.2001.csv",
      "other.2001-01-01.csv",
      "audit.2001-01-01.csv.gz",
    ];
    for (const name of others) writeFileSync(join(dir, name), "x");

    const file = csvFile({ path, retentionDays: 7 });
    file.append(LINE);
    file.append(LINE);
    file.close();

    expect(readdirSync(dir).toSorted()).toEqual(
      [
        `audit.${day(1)}.csv`,
        `audit.${day(7)}.csv`,
        "audit.2001-01-01.csv.gz",
        "audit.2001.csv",
        "audit.csv",
        "other.2001-01-01.csv",
      ].toSorted(),
    );
    expect(readFileSync(join(dir, `audit.${day(1)}.csv`), "utf8")).toBe(`${CSV_HEADER}"old"\n`);
    expect(readFileSync(path, "utf8")).toBe(CSV_HEADER + LINE + LINE);
  });

  test("never replaces a day's file that is there", () => {
    const dir = tempDir();
    const path = agedFile(dir, 1);
    writeFileSync(join(dir, `audit.${day(1)}.csv`), "earlier");
    csvFile({ path, retentionDays: 7 }).append(LINE);

    expect(readFileSync(join(dir, `audit.${day(1)}.csv`), "utf8")).toBe("earlier");
    expect(readFileSync(join(dir, `audit.${day(1)}.1.csv`), "utf8")).toBe(`${CSV_HEADER}"old"\n`);
  });

  test("leaves the file to the process that is rotating it, and does not wait for one that died", () => {
    const dir = tempDir();
    const path = agedFile(dir, 1);
    const lock = `${path}.rotating`;
    mkdirSync(lock);
    const file = csvFile({ path, retentionDays: 7 });
    file.append(LINE);
    expect(readdirSync(dir).toSorted()).toEqual(["audit.csv", "audit.csv.rotating"]);
    expect(readFileSync(path, "utf8")).toBe(`${CSV_HEADER}"old"\n${LINE}`);

    for (const name of [path, lock]) utimesSync(name, 1, 1);
    file.append(LINE);
    utimesSync(path, 1, 1);
    file.append(LINE);
    file.close();

    expect(readdirSync(dir)).not.toContain("audit.csv.rotating");
    expect(readFileSync(path, "utf8")).toBe(CSV_HEADER + LINE);
  });
});
