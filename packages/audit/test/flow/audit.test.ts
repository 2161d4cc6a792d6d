import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { openDatabase, type Database } from "@llmc/handles";
import { InternalError, NotFoundError, UnknownToolError } from "@llmc/errors";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAudit, type AuditOptions } from "../../src/flow/audit.js";
import { DRIVERS, openDriver } from "../drivers.js";
import { envelopeFacts, memoryLog, record, tempDir } from "../fixture.js";

const fail = (message: string) => expect.unreachable(message);

async function database(dir: string | null): Promise<Database> {
  const open = await openDatabase({ dataDir: dir, warn: fail });
  onTestFinished(() => open.close());
  return open;
}

function options(given: Partial<AuditOptions> & Pick<AuditOptions, "database">): AuditOptions {
  return {
    log: null,
    enabled: true,
    metricsEnabled: true,
    csv: null,
    version: "1.2.3",
    retentionDays: 0,
    onProblem: fail,
    ...given,
  };
}

const ROW = {
  timestamp: "2026-01-31T10:00:00.000Z",
  correlationId: "c0ffee00",
  sessionId: "s1",
  agentId: "agent",
  model: "model",
  entry: "stdio",
  tool: "linux.fs_read",
  status: "ok",
  durationMs: 12.5,
  args: '{"path":"/srv/a.txt"}',
  facts: '{"path":"/srv/a.txt"}',
  truncated: false,
  handle: null,
  bytesOut: 11,
  tokensIn: 10,
  tokensOut: 3,
};

describe.each(DRIVERS)("the audit over %s", (driver) => {
  const open = () => openDriver(driver);

  test("keeps a row of each call, whatever its end, newest first", async () => {
    const db = await open();
    const audit = createAudit(options({ database: async () => db }));
    audit.sink(record());
    const missing = new NotFoundError("/srv/b");
    audit.sink(
      record({ status: "NOT_FOUND", error: missing, truncated: true, handle: "H_1", text: () => "NOT_FOUND" }),
    );

    expect(await audit.recentCalls({ limit: 10 })).toEqual([
      { ...ROW, status: "NOT_FOUND", truncated: true, handle: "H_1", bytesOut: 9, tokensOut: expect.any(Number) },
      ROW,
    ]);
    expect(await audit.recentCalls({ limit: 1 })).toHaveLength(1);
  });

  test("answers the recent calls of one tool", async () => {
    const db = await open();
    const audit = createAudit(options({ database: async () => db }));
    for (const tool of ["linux.fs_read", "linux.fs_list", "linux.fs_read"]) audit.sink(record({ tool }));

    const recent = await audit.recentCalls({ limit: 10, tool: "linux.fs_list" });

    expect(recent.map((row) => row.tool)).toEqual(["linux.fs_list"]);
  });

  test("counts calls, errors, tokens and percentiles for each tool over all rows", async () => {
    const db = await open();
    const audit = createAudit(options({ database: async () => db }));
    for (let ms = 1; ms <= 100; ms += 1) audit.sink(record({ durationMs: ms }));
    const error = new NotFoundError("/srv/b");
    audit.sink(record({ tool: "linux.fs_list", status: "NOT_FOUND", error, durationMs: 3 }));

    expect(await audit.usage()).toEqual([
      {
        tool: "linux.fs_read",
        count: 100,
        errors: {},
        p50Ms: 50,
        p95Ms: 95,
        p99Ms: 99,
        tokensIn: 100 * ROW.tokensIn,
        tokensOut: 300,
      },
      {
        tool: "linux.fs_list",
        count: 1,
        errors: { NOT_FOUND: 1 },
        p50Ms: 3,
        p95Ms: 3,
        p99Ms: 3,
        tokensIn: ROW.tokensIn,
        tokensOut: 3,
      },
    ]);
  });

  test("keeps what the envelope told, and what a later read says about it", async () => {
    const db = await open();
    const audit = createAudit(options({ database: async () => db }));
    const handle = "H_cmd_20260131T100000Z_aaaaaaaaaaaaaaaaaaaa";
    audit.sink(record({ tool: "te_run", client: "claude-code", envelope: envelopeFacts({ handles: [handle] }) }));
    audit.sink(record({ tool: "te_run", envelope: envelopeFacts({ command: "git show" }) }));
    audit.sink(record({ tool: "linux.handle_read", facts: { handle }, status: "HANDLE_NOT_FOUND" }));
    expect(await audit.savings()).toMatchObject([{ missed: 0 }, { missed: 0 }]);
    audit.sink(record({ tool: "linux.handle_read", facts: { handle } }));

    expect(await audit.savings()).toEqual([
      { family: "git", client: null, count: 1, rawTokens: 500, shownTokens: 100, savedTokens: 400, missed: 0 },
      { family: "git", client: "claude-code", count: 1, rawTokens: 500, shownTokens: 100, savedTokens: 0, missed: 1 },
    ]);
    expect(audit.metrics.prometheus()).toContain('llmc_te_latency_seconds_count{mode="enriched"} 2\n');
  });

  test("puts names that are no tool's under one name, and keeps what was asked for as a fact", async () => {
    const db = await open();
    const audit = createAudit(options({ database: async () => db }));
    for (const tool of ["lst_files", "rm -rf"]) {
      audit.sink(record({ tool, status: "INVALID_ARGUMENT", error: new UnknownToolError(tool), facts: {} }));
    }

    const recent = await audit.recentCalls({ limit: 10 });

    expect(recent.map(({ tool, facts }) => ({ tool, facts }))).toEqual([
      { tool: "unknown", facts: '{"name":"rm -rf"}' },
      { tool: "unknown", facts: '{"name":"lst_files"}' },
    ]);
    expect(audit.metrics.snapshot().map(({ tool, count }) => ({ tool, count }))).toEqual([
      { tool: "unknown", count: 2 },
    ]);
  });
});

test("rows survive the server and are seen by another one on the same folder", async () => {
  const dir = tempDir();
  const first = createAudit(options({ database: () => database(dir) }));
  first.sink(record());
  await first.close();

  const second = createAudit(options({ database: () => database(dir) }));

  expect(await second.recentCalls({ limit: 10 })).toEqual([ROW]);
});

test("one log line for each call: a caller's mistake is information, a fault an error with its cause's stack", async () => {
  const log = memoryLog();
  const db = await database(null);
  const audit = createAudit(options({ database: async () => db, log }));
  const cause = new TypeError("x is not a function, token=hunter22");
  audit.sink(record());
  audit.sink(record({ status: "NOT_FOUND", error: new NotFoundError("/srv/b"), text: () => "NOT_FOUND" }));
  audit.sink(
    record({ status: "INTERNAL", error: new InternalError(cause), facts: { status: "half", n: 1 }, text: () => "" }),
  );
  await audit.flush();

  const fields = {
    time: Date.parse(ROW.timestamp) + 12.5,
    tool: "linux.fs_read",
    status: "ok",
    duration_ms: 12.5,
    correlation_id: "c0ffee00",
    session: "s1",
    agent: "agent",
    entry: "stdio",
    truncated: false,
    handle: null,
    bytes_out: 11,
    tokens_in: 10,
    tokens_out: 3,
  };
  expect(log.lines).toEqual([
    { level: "info", message: "linux.fs_read ok", fields: { ...fields, path: "/srv/a.txt" } },
    {
      level: "info",
      message: "linux.fs_read NOT_FOUND",
      fields: {
        ...fields,
        status: "NOT_FOUND",
        path: "/srv/a.txt",
        bytes_out: 9,
        tokens_out: 4,
        error: expect.stringContaining("/srv/b"),
      },
    },
    {
      level: "error",
      message: "linux.fs_read INTERNAL",
      fields: {
        ...fields,
        status: "INTERNAL",
        fact_status: "half",
        n: 1,
        bytes_out: 0,
        tokens_out: 0,
        error: {
          name: "TypeError",
          message: "x is not a function, token=***",
          stack: expect.stringContaining("audit.test.ts"),
        },
      },
    },
  ]);
});

test("switched off, nothing is kept, counted or opened, and only faults are logged", async () => {
  const log = memoryLog();
  const csv = { path: join(tempDir(), "audit.csv") };
  const audit = createAudit(options({ database: async () => fail("opened"), log, csv, enabled: false }));
  audit.sink(record());
  audit.sink(record({ status: "INTERNAL", error: new InternalError(new Error("broken")) }));
  await audit.close();

  expect(log.lines.map(({ level }) => level)).toEqual(["error"]);
  expect(audit.metrics.snapshot()).toEqual([]);
  expect(audit.metrics.prometheus()).toBe("");
  await expect(readFile(csv.path)).rejects.toMatchObject({ code: "ENOENT" });
  await expect(audit.recentCalls({ limit: 1 })).rejects.toMatchObject({ code: "FEATURE_DISABLED" });
  await expect(audit.usage()).rejects.toMatchObject({ code: "FEATURE_DISABLED" });
  await expect(audit.savings()).rejects.toMatchObject({ code: "FEATURE_DISABLED" });
});
