import { existsSync } from "node:fs";
import { join } from "node:path";
import { settingsOf, type McpInput } from "@llmc/config";
import { expect, test } from "vitest";
import { freshFolder, openStage } from "./stage.js";
import { telemetryRows } from "./telemetry-rows.js";

const LOG = Array.from({ length: 300 }, (_, at) => `test number_${at} ... ok`).join("\n");
const CARGO = `running 300 tests\n${LOG}\n\ntest result: ok. 300 passed; 0 failed; 0 ignored\n`;

function stageIn(dataDir: string, mcp: McpInput = {}) {
  const root = freshFolder();
  const config = settingsOf({ roots: [root], dataDir, mcp });
  return openStage({ config, root });
}

test("each call of te_run makes a row, which outlives the server", async () => {
  const dataDir = freshFolder();
  const first = stageIn(dataDir);
  const command = first.prints(CARGO);
  const result = await first.ops.call("te_run", { command }, { agentId: "agent", model: "model", session: "s1" });
  await first.ops.call("te_run", { command: ["echo", "--password", "hunter2hunter2"], raw: true }, { session: "s1" });
  await first.ops.close();
  const second = stageIn(dataDir);
  await second.ops.call("te_run", { command: ["echo", "again"] });
  await second.ops.close();

  const rows = await telemetryRows(dataDir);
  expect(rows.map(({ mode, family }) => [mode, family])).toEqual([
    ["enriched", "cargo test"],
    ["raw", "echo"],
    ["passthrough", "echo"],
  ]);
  expect(rows[0]).toMatchObject({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    agent: "agent",
    model: "model",
    session: "s1",
    client: null,
    tool: "te_run",
    client_cap_tokens: null,
    truncated: 1,
    handle: result.enrichment.handle,
    engine_version: "0.0.0",
    missed: null,
  });
  const { raw_tokens: raw, shown_tokens: shown } = rows[0] as { raw_tokens: number; shown_tokens: number };
  expect(raw).toBeGreaterThan(10 * shown);
  expect(rows[1]?.["command"]).toBe("echo --password ***");
});

test("without persist_telemetry nothing is kept", async () => {
  const dataDir = freshFolder();
  const { ops } = stageIn(dataDir, { docker: { persist_telemetry: false } });
  await ops.call("te_run", { command: ["echo", "hello"] });
  await ops.close();

  expect(existsSync(join(dataDir, "linuxops.db"))).toBe(false);
});

test.each([["its id"], ["its short name"]])("a read of the handle by %s counts as a miss", async (how) => {
  const dataDir = freshFolder();
  const first = stageIn(dataDir);
  const { enrichment } = await first.ops.call("te_run", { command: first.prints(CARGO) }, { session: "s1" });
  await first.ops.call("te_run", { command: ["echo", "other"] }, { session: "s1" });
  await first.ops.close();
  const second = stageIn(dataDir);
  const short = /linux_handle_read (h\d{6})/.exec(enrichment.marker ?? "")?.[1];
  const handle = (how === "its id" ? enrichment.handle : short) ?? "";
  await second.ops.call("linux.handle_read", { handle, match: "number_17 " }, { session: "s1" });
  await second.ops.close();

  expect((await telemetryRows(dataDir)).map(({ missed }) => missed)).toEqual(["handle_read", null]);
});

test("a second run of the command within five calls of the session counts as a miss, raw or not", async () => {
  const dataDir = freshFolder();
  const { ops, prints } = stageIn(dataDir);
  const command = prints(CARGO);
  await ops.call("te_run", { command }, { session: "s1" });
  await ops.call("te_run", { command }, { session: "s2" });
  await ops.call("te_run", { command, raw: true }, { session: "s1" });
  await ops.close();

  const rows = await telemetryRows(dataDir);
  expect(rows.map(({ session, mode, missed }) => [session, mode, missed])).toEqual([
    ["s1", "enriched", "rerun"],
    ["s2", "enriched", null],
    ["s1", "raw", null],
  ]);
});

test("te_shorten makes a row of the command that somebody else ran", async () => {
  const dataDir = freshFolder();
  const { ops } = stageIn(dataDir);
  await ops.call("te_shorten", { command: "cargo test", exit_code: 0, stdout: CARGO, stderr: "" });
  await ops.close();

  expect(await telemetryRows(dataDir)).toMatchObject([{ tool: "te_shorten", mode: "enriched", family: "cargo test" }]);
});
