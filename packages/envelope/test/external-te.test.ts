import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsOf, type McpInput } from "@llmc/config";
import { expect, test } from "vitest";
import { freshFolder, openStage } from "./stage.js";

/** Opens a root with this script as the external te. */
function stageWith(script: string, te: McpInput["te"] = {}) {
  const root = freshFolder();
  const path = join(root, "their-te");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  const config = settingsOf({ roots: [root], mcp: { te: { script_path: path, ...te } } });
  return openStage({ root, config });
}

const JSON_ANSWER = `printf '{"success":false,"mode":"enriched","command":"x","stdout":"asked for: %s\\\\n","stderr":"","exit_code":3,"enrichment":{"match_count":7}}' "$2"`;

test("an external te is asked for JSON, and its answer is told", async () => {
  const { ops } = stageWith(JSON_ANSWER);
  const result = await ops.call("te_run", { command: "grep -n x ." });
  expect(result).toMatchObject({ success: false, mode: "enriched", stdout: "asked for: grep -n x .\n", exit_code: 3 });
  expect(result.enrichment.match_count).toBe(7);
});

test("where it gives no JSON the command runs directly, or the operator refuses that", async () => {
  const { ops } = stageWith("echo no JSON");
  expect(await ops.call("te_run", { command: "echo hello" })).toMatchObject({ mode: "passthrough", stdout: "hello\n" });
  const strict = stageWith("exit 1", { passthrough_on_failure: false });
  await expect(strict.ops.call("te_run", { command: "echo hello" })).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
  });
});

test("without json_mode its text is the answer, and raw: true does without it", async () => {
  const { ops } = stageWith('echo "mine: $1"', { json_mode: false });
  expect(await ops.call("te_run", { command: "echo hello" })).toMatchObject({
    stdout: "mine: echo hello\n",
    exit_code: 0,
  });
  expect(await ops.call("te_run", { command: "echo hello", raw: true })).toMatchObject({
    mode: "raw",
    stdout: "hello\n",
  });
});

test("mcp.te.timeout is the time of a te_run that names none", async () => {
  const root = freshFolder();
  const { ops } = openStage({ root, config: settingsOf({ roots: [root], mcp: { te: { timeout: 0.3 } } }) });
  expect(await ops.call("te_run", { command: "sleep 20" })).toMatchObject({ exit_code: 124, success: false });
});

test("te --handle H [--chunk N] as a command reads a handle in process (004-14.2.7)", async () => {
  const { ops, prints } = openStage();
  const lines = Array.from({ length: 3000 }, (_, at) => `line ${at} of the report\n`).join("");
  const { enrichment } = await ops.call("te_run", { command: prints(lines), raw: true });
  const handle = enrichment.handle ?? "";
  const first = await ops.call("te_run", { command: `te --handle ${handle}` });
  expect(first.stderr).toMatch(/^chunk 0 of \d+; next: te --handle \S+ --chunk 1\n$/);
  const [, count = "0"] = /of (\d+)/.exec(first.stderr) ?? [];
  const chunks = [first.stdout];
  for (let chunk = 1; chunk < Number(count); chunk += 1)
    chunks.push(
      (await ops.call("run_cmd", { command: ["te", "--handle", handle, "--chunk", String(chunk)] })).data.stdout,
    );
  expect(chunks.join("")).toBe(lines);
  await expect(ops.call("te_run", { command: `te --handle ${handle} --chunk 999` })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  await expect(ops.call("te_run", { command: "te --handle h000000" })).rejects.toMatchObject({
    code: "HANDLE_NOT_FOUND",
  });
});
