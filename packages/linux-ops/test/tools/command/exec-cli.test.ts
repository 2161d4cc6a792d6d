import type { McpInput } from "@llmc/config";
import { expect } from "vitest";
import { opsWith, test, textOf } from "../../helpers.js";

const OFF = { linux_ops: { commands: { sandbox: "off", allowed_binaries: ["bash"] } } } satisfies McpInput;

test("a line runs in bash, and the answer has the seed's fields", async ({ root }) => {
  const ops = opsWith(root, OFF);
  const result = await ops.call("EXEC_CLI", { command: "echo $((6 * 7)) | tr 4 5", working_directory: root });
  expect(result).toMatchObject({
    stdout: "52\n",
    stderr: "",
    exit_code: 0,
    command: "echo $((6 * 7)) | tr 4 5",
    status: "SUCCESS",
    sandbox: "off",
  });
  expect(result.execution_time).toBeGreaterThan(0);
  expect(new Date(result.timestamp).toISOString()).toBe(result.timestamp);
  expect(await ops.call("EXEC_CLI", { command: "exit 4" })).toMatchObject({ exit_code: 4, status: "ERROR" });
  expect(await ops.call("EXEC_CLI", { command: "sleep 600", timeout: 1 })).toMatchObject({
    exit_code: 124,
    status: "TIMEOUT",
  });
  await ops.close();
});

test("without a sandbox it takes bash in the operator's list", async ({ root }) => {
  const ops = opsWith(root, { linux_ops: { commands: { sandbox: "off" } } });
  await expect(ops.call("EXEC_CLI", { command: "ls" })).rejects.toMatchObject({ code: "COMMAND_NOT_ALLOWED" });
  await ops.close();
});

test("the text form begins with the status", async ({ root }) => {
  expect(await textOf(root, "EXEC_CLI", { command: "echo hi" }, OFF)).toMatch(/^\[SUCCESS, exit 0 · .*\]\nhi\n$/);
});
