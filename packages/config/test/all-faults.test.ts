import { expect, test } from "vitest";
import { ConfigError, type LoadOptions } from "../src/index.js";
import { freshFolder } from "./fresh.js";

async function problemsOf(toml: string, options: LoadOptions = {}) {
  const { dir, loadText } = await freshFolder();
  const thrown: unknown = await loadText(toml, options).catch((error: unknown) => error);
  if (!(thrown instanceof ConfigError)) throw new Error(`expected a ConfigError, got ${String(thrown)}`);
  return {
    message: thrown.message.replaceAll(dir, "D"),
    problems: thrown.problems.map((each) => each.replaceAll(dir, "D")),
  };
}

test("faults of every source and of every kind are told at once, each once", async () => {
  const toml = `
[mcp.tools]
nmaes = "dotted"
exec_timeout = "long"
deny = ["", ""]
[mcp.tolls]
x = 1
`;
  const options = {
    set: ["mcp.server.port=x", "mcp.tools.names"],
    env: { LLMC_MCP__TOOLS__NMAES: "1", LLMC_ROOTS: "~bob" },
    dataDir: "",
  };
  const { message, problems } = await problemsOf(toml, options);
  expect(problems).toEqual([
    "D/llmc.toml:3: mcp.tools.nmaes: there is no such key (nearest: mcp.tools.names)",
    "D/llmc.toml:6: mcp.tolls: there is no such key (nearest: mcp.tools)",
    "LLMC_MCP__TOOLS__NMAES: mcp.tools.nmaes: there is no such key (nearest: LLMC_MCP__TOOLS__NAMES)",
    `LLMC_ROOTS: mcp.linux_ops.roots.allowed_roots: "~bob": only ~ and ~/… are understood, not another user's home`,
    "--set: mcp.tools.names: needs a value, as in --set mcp.tools.names=VALUE",
    "--data-dir: needs the path of a folder",
    '--set: mcp.server.port: must be a whole number from 0 to 65535, not "x"',
    'D/llmc.toml:5: mcp.tools.deny: must be text that is not empty and has no NUL, not ""',
    'D/llmc.toml:4: mcp.tools.exec_timeout: must be a number from 0.1 to 86400, not "long"',
  ]);
  expect(message).toBe(`${problems[0]} (and 8 more)`);
});

test("settings that cannot be served together are told beside unknown keys and a missing token", async () => {
  const toml = '[mcp.server]\ntls_enabled = true\nprot = 1\nhost = "0.0.0.0"\n[mcp.rag]\nengine = "llmc-http"\n';
  const { problems } = await problemsOf(toml, { transport: "http" });
  expect(problems.map((each) => each.replace(/^D\/llmc\.toml:/, ""))).toEqual([
    "3: mcp.server.prot: there is no such key (nearest: mcp.server.port)",
    "2: mcp.server.tls_enabled: needs mcp.server.tls_cert and mcp.server.tls_key",
    '6: mcp.rag.engine: "llmc-http" needs mcp.rag.llmc_http.base_url',
    expect.stringMatching(/^4: mcp\.server\.host: 0\.0\.0\.0 is not a loopback address and there is no token/),
  ]);
});
