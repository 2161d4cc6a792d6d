import { mkdtempSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { loadConfig } from "../src/index.js";

const cwd = mkdtempSync(join(tmpdir(), "llmc-home-"));
afterEach(() => vi.unstubAllEnvs());

test.for(["", "relative/home"])("HOME=%j does not scatter our state over the current folder", async (home) => {
  vi.stubEnv("HOME", home);
  const settings = await loadConfig({ env: {}, cwd });
  expect([settings.home, settings.dataDir]).toEqual([
    userInfo().homedir,
    join(userInfo().homedir, ".local/state/llmc"),
  ]);
});

test("the usual state stays private when another place is named: a server next door may keep its token there", async () => {
  const { privatePaths } = await loadConfig({ env: {}, cwd, home: "/home/me", dataDir: "/srv/state" });
  expect(privatePaths).toEqual(
    expect.arrayContaining(["/srv/state", "/home/me/.local/state/llmc", "/home/me/.config/llmc"]),
  );
});

test("plain HTTP beyond this machine is warned about, with the way out", async () => {
  const env = { LLMC_MCP_TOKEN: "a-token-of-more-than-sixteen" };
  const { warnings } = await loadConfig({ env, cwd, home: cwd, host: "0.0.0.0", transport: "http" });
  expect(warnings).toContain(
    "0.0.0.0 is served over plain HTTP: who sees the network sees the token; set mcp.server.tls_enabled",
  );
  expect((await loadConfig({ env, cwd, home: cwd, transport: "http" })).warnings).toEqual([]);
});
