import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "@llmc/audit";
import { settingsOf } from "@llmc/config";
import { OpsError } from "@llmc/errors";
import { expect } from "vitest";
import { openServices, VERSION, type LinuxOps } from "../../src/index.js";
import { opsWith, test } from "../helpers.js";

async function refused(ops: LinuxOps, name: string, args: object): Promise<OpsError> {
  const thrown = await ops.call(name as "health", args as never).catch((error: unknown) => error);
  if (!OpsError.is(thrown)) throw new Error("nothing was refused", { cause: thrown });
  return thrown;
}

test("an error leaves in words from whichever layer it comes, and holds no remedy then", async ({ root, ops }) => {
  const careful = opsWith(root, { tools: { confirm: "require" } });
  const errors = [
    await refused(ops, "linux.fs_raed", {}),
    await refused(ops, "linux.fs_read", { file: root }),
    await refused(ops, "linux.fs_read", { path: "/etc/passwd" }),
    await refused(careful, "linux.fs_delete", { path: root }),
  ];
  await careful.close();
  expect(errors.map(({ hint }) => hint)).toEqual([
    "Did you mean linux.fs_read?",
    "Did you mean path?",
    `Use a path inside ${root}; the operator adds roots with --root or roots.allowed_roots.`,
    'The operator can set mcp.tools.confirm to "auto" or "never", or use a client with elicitation.',
  ]);
  expect(errors.map(({ remedy }) => remedy)).toEqual([undefined, undefined, undefined, undefined]);
});

test("a file among several that cannot be read has its hint in words beside it", async ({ ops }) => {
  const { files = [] } = await ops.call("linux.fs_read", { paths: ["/etc/passwd"] });
  expect(files[0]?.error?.hint).toContain("roots.allowed_roots");
});

test("the record of a call holds the words of its answer", async ({ root }) => {
  const lines: object[] = [];
  const keep = (fields: object) => void lines.push(fields);
  const log: Logger = { debug: keep, info: keep, warn: keep, error: keep, flush: () => {} };
  const services = openServices({ settings: settingsOf({ roots: [root] }), version: VERSION, log });
  const session = { id: "s", agentId: "a", model: "m", token: "t", owner: "o" };
  const path = join(root, "a");
  await writeFile(path, "x");
  const args = { path, content: "y", expected_sha256: "0".repeat(64) };
  await services.dispatcher.call("linux.fs_write", args, { session, entry: "library" }).catch(() => {});
  await services.close();
  expect(lines).toContainEqual(
    expect.objectContaining({ error: `${path} is not the file that expected_sha256 names` }) as object,
  );
});
