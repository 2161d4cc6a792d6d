import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { changedSettings, printToml, redacted, settingsOf } from "../src/index.js";
import { freshFolder } from "./fresh.js";

const SECRET = "correct-horse-battery";

test("what is printed loads to the same settings", async () => {
  const { write, load, loadText } = await freshFolder();
  const first = await loadText(
    'mcp.server.port = 1\nmcp.tools.deny = ["a\\"b", "ü"]\nmcp.te.timeout = 0.5\nmcp.tools.run_cmd_allowlist = []\nmcp.te.script_path = "te"\n',
    { roots: ["/r", "~"], readOnly: true },
  );
  const second = await load({ file: await write("printed.toml", printToml(first)) });

  expect({ mcp: second.mcp, roots: second.roots }).toEqual({ mcp: first.mcp, roots: first.roots });
  expect(printToml(second).replace(/^#.*\n/gm, "")).toBe(printToml(first).replace(/^#.*\n/gm, ""));
});

test("a secret is printed nowhere", async () => {
  const { loadText, write, load } = await freshFolder();
  const settings = await loadText(`[mcp.auth]\ntoken = "${SECRET}"\n`);

  expect(redacted(settings)["mcp"]).toMatchObject({ auth: { token: "***", token_env: "LLMC_MCP_TOKEN" } });
  expect(settings.mcp.auth.token).toBe(SECRET);
  expect(JSON.stringify(redacted(settings)) + printToml(settings)).not.toContain(SECRET);
  expect(printToml(settings)).toContain("\n# token is set, and not shown\n");
  expect((await load({ file: await write("printed.toml", printToml(settings)) })).mcp.auth.token).toBe("");
});

test("the log line names file, data dir, roots and every key", async () => {
  const { dir, loadText } = await freshFolder();
  const settings = await loadText("[mcp]", { dataDir: "/data", roots: ["/r"] });
  expect(JSON.parse(JSON.stringify(redacted(settings)))).toEqual({
    file: `${dir}/llmc.toml`,
    data_dir: "/data",
    roots: ["/r"],
    mcp: JSON.parse(JSON.stringify(settings.mcp)) as unknown,
  });
});

test("a key that is unset is left out, and a secret that is unset is shown to be so", () => {
  const printed = parse(printToml(settingsOf()));
  expect(printed["mcp"]).toMatchObject({ auth: { token: "" } });
  expect(printToml(settingsOf())).not.toMatch(/undefined|null|allowed_binaries/);
});

test("a file name cannot forge a line", async () => {
  const { write, load } = await freshFolder();
  const file = await write("a\n[mcp]\nenabled = false", "[mcp]");
  expect((parse(printToml(await load({ file })))["mcp"] as { enabled: boolean }).enabled).toBe(true);
});

test("each value names its source, and a default has none", async () => {
  const { dir, loadText } = await freshFolder();
  const settings = await loadText('[mcp.tools]\nnames = "dotted"\n', {
    roots: ["/r"],
    env: { LLMC_MCP__TOOLS__CONFIRM: "auto" },
    set: ["mcp.linux_ops.process_limits.max_timeout_sec=8"],
  });
  const printed = printToml(settings).replaceAll(dir, "D");
  expect(printed).toContain('# from D/llmc.toml:2\nnames = "dotted"\n');
  expect(printed).toContain('# from LLMC_MCP__TOOLS__CONFIRM\nconfirm = "auto"\n');
  expect(printed).toContain('# from --root\nallowed_roots = [ "/r" ]\n');
  expect(printed).toContain("# from mcp.linux_ops.process_limits.max_timeout_sec\nexec_timeout = 8\n");
  expect(printed).toMatch(/\nallow = \[ *\]\ndeny = /);
});

test("the changed settings are those that are not at their defaults, without secrets", async () => {
  const { loadText } = await freshFolder();
  const settings = await loadText(`[mcp]\nauth.token = "${SECRET}"\ntools.names = "dotted"\ntools.confirm = "never"\n`);
  expect(changedSettings(settings)).toEqual(["mcp.auth.token = ***", 'mcp.tools.names = "dotted"']);
  expect(changedSettings(settingsOf())).toEqual([]);
});
