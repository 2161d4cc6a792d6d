import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { settingsOf, tokenAuditFile } from "../src/index.js";
import { freshFolder } from "./fresh.js";

describe("what no tool may reach", () => {
  test("is the file, the data dir, and the folder in which the next start looks for a file", async () => {
    const { dir, home, loadText } = await freshFolder();
    expect((await loadText("[mcp]")).privatePaths).toEqual([
      join(home, ".local/state/llmc"),
      join(dir, "llmc.toml"),
      join(home, ".config/llmc"),
    ]);
  });

  test("has no second entry for what lies in the first", async () => {
    const { home, write, load } = await freshFolder();
    await write("home/.config/llmc/llmc.toml", '[mcp.observability]\ncsv_path = "~/.local/state/llmc/a.csv"\n');
    expect((await load()).privatePaths).toEqual([join(home, ".local/state/llmc"), join(home, ".config/llmc")]);
  });

  test("names a file that is a link by both names", async () => {
    const { dir, write, load } = await freshFolder();
    const file = await write("real.toml", "[mcp]");
    await symlink(file, join(dir, "link.toml"));
    expect((await load({ file: join(dir, "link.toml") })).privatePaths).toEqual(
      expect.arrayContaining([join(dir, "link.toml"), file]),
    );
  });

  test("is an audit, a key and an index that were put elsewhere", async () => {
    const { dir, loadText } = await freshFolder();
    const { privatePaths } = await loadText(`
      mcp.observability.csv_path = "a/t.csv"
      mcp.server.tls_key = "k.pem"
      mcp.server.tls_cert = "c.pem"
      mcp.rag.index_path = "i.db"
    `);
    expect(privatePaths.slice(-3)).toEqual([join(dir, "a/t.csv"), join(dir, "k.pem"), join(dir, "i.db")]);
  });
});

test("the token audit lies in the data dir unless it is put elsewhere", () => {
  expect([
    tokenAuditFile(settingsOf({ dataDir: "/data" })),
    tokenAuditFile(settingsOf({ dataDir: "/data", mcp: { observability: { csv_path: "/x/y.csv" } } })),
    tokenAuditFile(settingsOf()),
  ]).toEqual(["/data/token_audit.csv", "/x/y.csv", null]);
});

describe("a warning is given", () => {
  const inside = (what: string, path: string, root: string) =>
    `the ${what} ${path} lies inside the root ${root}; tools cannot reach it, but it is safer elsewhere`;

  test("for a config or token file inside a root", async () => {
    const { dir, home, loadText } = await freshFolder();
    const file = join(dir, "llmc.toml");
    const token = join(home, ".local/state/llmc/token");

    expect((await loadText("[mcp]", { roots: [dir], transport: "http" })).warnings).toEqual([
      inside("config file", file, dir),
      inside("token file", token, dir),
    ]);
    expect((await loadText("[mcp]", { roots: [dir], transport: "stdio" })).warnings).toEqual([
      inside("config file", file, dir),
    ]);
    expect((await loadText("[mcp]", { roots: [home], transport: "http" })).warnings).toEqual([
      inside("token file", token, home),
    ]);
    expect((await loadText("[mcp]", { roots: [join(dir, "llmc")] })).warnings).toEqual([]);
  });

  test("for a config file inside a root that is named through a link", async () => {
    const { dir, write, load } = await freshFolder();
    const file = await write("repo/llmc.toml", "[mcp]");
    await symlink(join(dir, "repo"), join(dir, "link"));
    const root = join(dir, "link");
    expect((await load({ file, roots: [root] })).warnings).toEqual([inside("config file", file, root)]);
    expect((await load({ file: join(root, "llmc.toml"), roots: [join(dir, "repo")] })).warnings).toEqual([
      inside("config file", join(root, "llmc.toml"), join(dir, "repo")),
    ]);
  });

  test("for a file without our table", async () => {
    const { dir, loadText } = await freshFolder();
    expect((await loadText("[mpc]\nenabled = false\n")).warnings).toEqual([
      `${join(dir, "llmc.toml")} has no [mcp] table, so nothing in it applies`,
    ]);
  });

  test("for a file that anybody may change, or that shows a token", async () => {
    const { write, load } = await freshFolder();
    const file = await write("x.toml", '[mcp.auth]\ntoken = "abcdefghijklmnop"\n');
    await chmod(file, 0o646);
    expect((await load({ file })).warnings).toEqual([
      `${file} can be changed by every user (mode 0646)`,
      `${file} can be read by other users (mode 0646), and so can a token in it`,
    ]);
    await chmod(file, 0o600);
    expect((await load({ file })).warnings).toEqual([]);
  });

  test("where LLMC_ROOT was taken for a root", async () => {
    const { dir, load } = await freshFolder();
    const env = { LLMC_ROOT: dir };
    expect((await load({ env })).warnings).toEqual([
      "LLMC_ROOT is the base of relative config paths and opens no folder; --root DIR or LLMC_ROOTS does",
    ]);
    expect((await load({ env, roots: [dir] })).warnings).toEqual([]);
  });

  test("in one line, whatever a folder is called", async () => {
    const { dir, write, load } = await freshFolder();
    await mkdir(join(dir, "a\nb"));
    await write("a\nb/llmc.toml", "[mcp]");
    const { warnings } = await load({ cwd: join(dir, "a\nb") });
    expect(warnings).toEqual([expect.stringMatching(/^[^\n]*a\\u000ab\/llmc\.toml is not loaded/)]);
  });
});
