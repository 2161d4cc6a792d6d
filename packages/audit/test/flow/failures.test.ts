import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { InternalError } from "@llmc/errors";
import { openDatabase, type Database } from "@llmc/handles";
import type { CallRecord } from "@llmc/toolkit";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createAudit, type AuditOptions } from "../../src/flow/audit.js";
import { memoryLog, record, tempDir } from "../fixture.js";
import { parseCsv } from "../parse-csv.js";

const program = (name: string) => join(import.meta.dirname, "../programs", name);
const TYPESCRIPT = ["--conditions=llmc-source", "--import", "tsx"];

function setUp(database: () => Promise<Database>, given: Partial<AuditOptions> = {}) {
  const messages: string[] = [];
  const log = memoryLog();
  const onProblem = (message: string) => void messages.push(message);
  const audit = createAudit({
    database,
    log,
    enabled: true,
    metricsEnabled: true,
    csv: null,
    version: "1.2.3",
    retentionDays: 0,
    onProblem,
    ...given,
  });
  return { audit, messages, log };
}

async function database(dir: string): Promise<Database> {
  const open = await openDatabase({
    dataDir: dir,
    warn: (message) => expect.unreachable(message),
    busyTimeoutMs: 1,
    retryMs: 30,
  });
  onTestFinished(() => open.close());
  return open;
}

describe("what cannot be kept never fails a call and is reported once, and once more when it is over", () => {
  test("a database that does not open", async () => {
    let broken = true;
    const dir = tempDir();
    const { audit, messages, log } = setUp(async () => {
      if (broken) throw new Error("the folder is read-only");
      return database(dir);
    });
    for (let n = 0; n < 3; n += 1) {
      expect(() => audit.sink(record({ sessionId: String(n) }))).not.toThrow();
      await audit.flush();
    }
    expect(audit.problems()).toEqual(["The audit database does not take call records: the folder is read-only"]);
    await expect(audit.recentCalls({ limit: 1 })).rejects.toThrow("read-only");

    broken = false;
    const recent = await audit.recentCalls({ limit: 10 });

    expect(recent.map(({ sessionId }) => sessionId)).toEqual(["2", "1", "0"]);
    expect(audit.problems()).toEqual([]);
    expect(messages).toEqual([
      "The audit database does not take call records: the folder is read-only",
      "The audit database takes call records again; none was lost.",
    ]);
    expect(log.lines.filter(({ fields }) => "problem" in fields).map(({ level, message }) => [level, message])).toEqual(
      [
        ["warn", messages[0]],
        ["info", messages[1]],
      ],
    );
  });

  test("a database that another process keeps locked", async () => {
    const dir = tempDir();
    const open = await database(dir);
    const { audit, messages } = setUp(async () => open);
    audit.sink(record({ sessionId: "before" }));
    await audit.flush();
    const holder = fork(program("hold-lock.ts"), [join(dir, "linuxops.db")], { execArgv: TYPESCRIPT });
    onTestFinished(() => void holder.kill("SIGKILL"));
    await Promise.race([
      once(holder, "message"),
      once(holder, "exit").then(([code]) => expect.unreachable(`exit ${code as number}`)),
    ]);
    for (const sessionId of ["during 1", "during 2"]) {
      audit.sink(record({ sessionId }));
      await audit.flush();
    }
    expect(messages).toEqual([expect.stringMatching(/^The audit database does not take call records: .*locked/)]);

    holder.send("release");
    await once(holder, "exit");
    const recent = await audit.recentCalls({ limit: 10 });

    expect(recent.map(({ sessionId }) => sessionId)).toEqual(["during 2", "during 1", "before"]);
    expect(messages.slice(1)).toEqual(["The audit database takes call records again; none was lost."]);
  });

  test("a token audit that cannot be written, while the database goes on", async () => {
    const dir = tempDir();
    const path = join(dir, "audit.csv");
    mkdirSync(path);
    const open = await database(dir);
    const { audit, messages } = setUp(async () => open, { csv: { path } });
    for (const sessionId of ["1", "2"]) {
      audit.sink(record({ sessionId }));
      await audit.flush();
    }
    expect(audit.problems()).toEqual([
      `The token audit does not take call records: The token audit ${path} could not be written: it is a folder`,
    ]);
    expect(await audit.recentCalls({ limit: 10 })).toHaveLength(2);

    rmdirSync(path);
    await audit.close();

    expect(parseCsv(readFileSync(path, "utf8")).map((cells) => cells[2])).toEqual(["session_id", "1", "2"]);
    expect(messages).toHaveLength(2);
  });

  test("a full disk", () => {
    const dir = tempDir();
    // The shell's limit on the size of a file stands for the disk, as no test may fill a real one.
    const script = 'ulimit -f 700; exec "$0" --conditions=llmc-source --import tsx "$1" "$2"';
    const output = execFileSync("sh", ["-c", script, process.execPath, program("fill-database.ts"), dir], {
      encoding: "utf8",
    });

    const { calls, problems, messages } = JSON.parse(output) as {
      calls: number;
      problems: string[];
      messages: string[];
    };
    expect(calls).toBe(3_000);
    expect(problems).toEqual([
      expect.stringMatching(/^The audit database does not take call records: .*could not be written/),
      expect.stringMatching(/^The token audit does not take call records: .*the disk is full$/),
    ]);
    expect(messages).toEqual(problems);
  });

  test("a record that breaks what makes a row of it", async () => {
    const { audit, messages } = setUp(() => database(tempDir()));
    const broken: Partial<CallRecord> = {
      text: () => {
        throw new Error("render failed");
      },
      args: { cyclic: null as unknown },
    };
    (broken.args as { cyclic: unknown }).cyclic = broken.args;
    audit.sink(record(broken));
    audit.sink(record({ startedAt: Number.NaN }));
    audit.sink(record());

    const recent = await audit.recentCalls({ limit: 10 });

    expect(recent.map(({ bytesOut, tokensIn, args }) => [bytesOut, tokensIn, args])).toEqual([
      [11, 10, '{"path":"/srv/a.txt"}'],
      [0, 0, '{"cyclic":{"cyclic":{"cyclic":{"cyclic":"{…}"}}}}'],
    ]);
    expect(messages).toEqual(["A call could not be recorded: RangeError: Invalid time value"]);
  });
});

describe("a call's record", () => {
  test("is made off the call's path: the sink asks for nothing and writes nothing", async () => {
    const asked: string[] = [];
    const { audit, log } = setUp(async () => {
      asked.push("database");
      return database(tempDir());
    });
    audit.sink(
      record({
        text: () => {
          asked.push("text");
          return "";
        },
      }),
    );

    expect([asked, log.lines]).toEqual([[], []]);
    expect(audit.metrics.snapshot()).toMatchObject([{ tool: "linux.fs_read", count: 1, tokensIn: 0 }]);
    await audit.flush();
    expect(asked).toEqual(["text", "database"]);
    expect(audit.metrics.snapshot()).toMatchObject([{ count: 1, tokensIn: 10 }]);
  });

  test("comes without anybody waiting for it", async () => {
    await new Promise<void>((resolve) => {
      const { audit } = setUp(async () => {
        resolve();
        return database(tempDir());
      });
      audit.sink(record());
    });
  });

  test("of a fault is logged at once", async () => {
    // No timer runs out here: only what is due at once happens.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await new Promise<void>((resolve) => {
      const log = { ...memoryLog(), error: () => resolve() };
      const { audit } = setUp(() => database(tempDir()), { log });
      audit.sink(record({ status: "INTERNAL", error: new InternalError(new Error("x")) }));
    });
  });

  test("whose flush a survived crash runs into is kept once", async () => {
    const open = await database(tempDir());
    const { audit, log } = setUp(async () => open);
    audit.sink(record({ text: () => "word ".repeat(20_000) }));
    const flushed = audit.flush();
    audit.flushSync();
    await flushed;

    expect(log.lines.filter(({ fields }) => "tool" in fields)).toHaveLength(1);
    expect(await audit.recentCalls({ limit: 10 })).toHaveLength(1);
  });

  test("of which too many wait at once is given up, oldest first, and counted", async () => {
    const open = await database(tempDir());
    const { audit } = setUp(async () => open, { log: null });
    for (let n = 0; n < 10_003; n += 1) audit.sink(record({ sessionId: String(n), text: () => "" }));

    const recent = await audit.recentCalls({ limit: 20_000 });

    expect(recent).toHaveLength(10_000);
    expect(recent.at(-1)?.sessionId).toBe("3");
    expect(audit.metrics.prometheus()).toContain('llmc_audit_lost_total{place="intake"} 3\n');
    expect(audit.metrics.snapshot()).toMatchObject([{ count: 10_003 }]);
  });

  test("after the end is dropped quietly", async () => {
    const { audit, log } = setUp(() => database(tempDir()));
    await audit.close();
    audit.sink(record());
    await audit.flush();

    expect(log.lines).toEqual([]);
  });
});

test("at a crash everything that waited is written before the process ends", async () => {
  const dir = tempDir();
  const child = fork(program("crash.ts"), [dir], { execArgv: TYPESCRIPT, stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(child, "close")) as [number];

  expect(code).toBe(70);
  const lines = stderr
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { session?: string });
  expect(lines.map(({ session }) => session)).toEqual(["warm", "0", "1", "2"]);
  const { audit } = setUp(() => database(dir));
  expect((await audit.recentCalls({ limit: 10 })).map(({ sessionId }) => sessionId)).toEqual(["2", "1", "0", "warm"]);
  const rows = parseCsv(readFileSync(join(dir, "audit.csv"), "utf8"));
  expect(rows.map((cells) => cells[2])).toEqual(["session_id", "warm", "0", "1", "2"]);
});

test("a crash before the database was ever open says so, and still logs", () => {
  const { audit, log, messages } = setUp(async () => expect.unreachable());
  audit.sink(record({ status: "INTERNAL", error: new InternalError(new Error("x")) }));
  audit.flushSync();

  expect(log.lines.map(({ message }) => message)).toEqual(["linux.fs_read INTERNAL", messages[0]]);
  expect(messages).toEqual([
    "The audit database does not take call records: The audit database is not available: it was not open yet",
  ]);
});
