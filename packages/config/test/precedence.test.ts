import { access, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder } from "./fresh.js";

const port = (value: number) => `[mcp.server]\nport = ${value}\n`;

describe("the command line comes before the environment, that before the file, that before the defaults", () => {
  test.for([
    ["defaults", {}, 8080],
    ["file", { toml: 1 }, 1],
    ["environment", { toml: 1, env: 2 }, 2],
    ["--set", { toml: 1, env: 2, set: 3 }, 3],
    ["a flag of its own", { toml: 1, env: 2, set: 3, flag: 4 }, 4],
  ] as const)("%s", async ([, given, expected]) => {
    const fresh = await freshFolder();
    const layers: { toml?: number; env?: number; set?: number; flag?: number } = given;
    const { mcp } = await fresh.loadText(layers.toml === undefined ? "" : port(layers.toml), {
      env: layers.env === undefined ? {} : { LLMC_MCP__SERVER__PORT: String(layers.env) },
      set: layers.set === undefined ? [] : [`mcp.server.port=${layers.set}`],
      ...(layers.flag === undefined ? {} : { port: layers.flag }),
    });
    expect(mcp.server.port).toBe(expected);
  });

  test("a layer that names one key leaves its neighbours alone", async () => {
    const fresh = await freshFolder();
    const { mcp } = await fresh.loadText('[mcp.server]\nhost = "::1"\nport = 1\n', { set: ["mcp.server.port=2"] });
    expect(mcp.server).toMatchObject({ host: "::1", port: 2 });
  });

  test("a list replaces a list", async () => {
    const fresh = await freshFolder();
    const { mcp } = await fresh.loadText('[mcp.tools]\ndeny = ["a", "b"]\n', { set: ["mcp.tools.deny=c"] });
    expect(mcp.tools.deny).toEqual(["c"]);
  });

  test("the last --set of a key wins", async () => {
    const fresh = await freshFolder();
    const { mcp } = await fresh.load({ set: ["mcp.server.port=1", "mcp.server.port=2"] });
    expect(mcp.server.port).toBe(2);
  });

  test("flags set their keys", async () => {
    const fresh = await freshFolder();
    const { mcp } = await fresh.load({ host: "localhost", port: 0, readOnly: true });
    expect({ ...mcp.server, read_only: mcp.tools.read_only }).toMatchObject({
      host: "localhost",
      port: 0,
      read_only: true,
    });
  });
});

describe("one file is loaded", () => {
  const usual = "home/.config/llmc/llmc.toml";

  test("the usual one, where nobody names another", async () => {
    const fresh = await freshFolder();
    const file = await fresh.write(usual, port(1));
    const settings = await fresh.load();
    expect({ file: settings.file, port: settings.mcp.server.port }).toEqual({ file, port: 1 });
  });

  test("none, where there is none", async () => {
    const fresh = await freshFolder();
    expect((await fresh.load()).file).toBeNull();
  });

  test("below XDG_CONFIG_HOME, where that is set", async () => {
    const fresh = await freshFolder();
    await fresh.write(usual, port(1));
    const file = await fresh.write("xdg/llmc/llmc.toml", port(2));
    expect((await fresh.load({ env: { XDG_CONFIG_HOME: join(fresh.dir, "xdg") } })).file).toBe(file);
  });

  test("a relative XDG_CONFIG_HOME is ignored, as its specification says", async () => {
    const fresh = await freshFolder();
    const file = await fresh.write(usual, port(1));
    expect((await fresh.load({ env: { XDG_CONFIG_HOME: "xdg" } })).file).toBe(file);
  });

  test("LLMC_CONFIG comes before the usual one, and --config before that", async () => {
    const fresh = await freshFolder();
    await fresh.write(usual, port(1));
    const second = await fresh.write("second.toml", port(2));
    const third = await fresh.write("third.toml", port(3));
    const env = { LLMC_CONFIG: second };

    expect((await fresh.load({ env })).file).toBe(second);
    expect((await fresh.load({ env, file: third })).file).toBe(third);
  });

  test("an empty LLMC_CONFIG is none", async () => {
    const fresh = await freshFolder();
    expect((await fresh.load({ env: { LLMC_CONFIG: "" } })).file).toBeNull();
  });

  test("named relative to the current folder or to the home", async () => {
    const fresh = await freshFolder();
    const here = await fresh.write("cwd/a.toml", "[mcp]");
    const there = await fresh.write("home/b.toml", "[mcp]");
    expect((await fresh.load({ file: "a.toml" })).file).toBe(here);
    expect((await fresh.load({ env: { LLMC_CONFIG: "~/b.toml" } })).file).toBe(there);
  });

  test("an llmc.toml in the current folder is mentioned, not loaded", async () => {
    const fresh = await freshFolder();
    const stray = await fresh.write("cwd/llmc.toml", port(1));
    const settings = await fresh.load();
    expect({ file: settings.file, port: settings.mcp.server.port, warnings: settings.warnings }).toEqual({
      file: null,
      port: 8080,
      warnings: [`${stray} is not loaded because it merely lies in the current folder; --config ${stray} loads it`],
    });
  });

  test("an llmc.toml in the current folder that was named is not mentioned", async () => {
    const fresh = await freshFolder();
    const stray = await fresh.write("cwd/llmc.toml", "[mcp]");
    await symlink(stray, join(fresh.dir, "link.toml"));
    expect((await fresh.load({ file: "llmc.toml" })).warnings).toEqual([]);
    expect((await fresh.load({ file: join(fresh.dir, "link.toml") })).warnings).toEqual([]);
  });

  test("other programs' tables are ignored", async () => {
    const fresh = await freshFolder();
    const { mcp, warnings } = await fresh.loadText("[tool]\nx = 1\n[__proto__]\nmcp = 3\n[mcp.server]\nport = 1\n");
    expect({ port: mcp.server.port, warnings }).toEqual({ port: 1, warnings: [] });
  });

  test("a byte order mark is no part of the first key", async () => {
    const fresh = await freshFolder();
    expect((await fresh.loadText(`\ufeff${port(1)}`)).mcp.server.port).toBe(1);
  });
});

describe("relative paths", () => {
  const paths = '[mcp.observability]\ncsv_path = "a/../b.csv"\n[mcp.resources]\nsidecars = ["~/c.md", "/d/", "e"]\n';

  test("in the file are taken from its folder", async () => {
    const fresh = await freshFolder();
    const file = await fresh.write("conf/x.toml", paths);
    const { mcp } = await fresh.load({ file });
    expect([mcp.observability.csv_path, ...mcp.resources.sidecars]).toEqual([
      join(fresh.dir, "conf/b.csv"),
      join(fresh.home, "c.md"),
      "/d",
      join(fresh.dir, "conf/e"),
    ]);
  });

  test("are taken from LLMC_ROOT where it is set", async () => {
    const fresh = await freshFolder();
    const env = { LLMC_ROOT: "/app", LLMC_MCP__TE__SCRIPT_PATH: "scripts/te", LLMC_ROOTS: "." };
    const { mcp, roots } = await fresh.loadText(paths, { env, set: ["mcp.rag.index_path=i.db"] });
    expect([mcp.observability.csv_path, mcp.te.script_path, mcp.rag.index_path, ...roots]).toEqual([
      "/app/b.csv",
      "/app/scripts/te",
      join(fresh.cwd, "i.db"),
      fresh.cwd,
    ]);
  });

  test("on the command line and in the environment are taken from the current folder", async () => {
    const fresh = await freshFolder();
    const { mcp } = await fresh.load({ env: { LLMC_MCP__TE__SCRIPT_PATH: "te" }, set: ["mcp.rag.index_path=i.db"] });
    expect([mcp.te.script_path, mcp.rag.index_path]).toEqual([join(fresh.cwd, "te"), join(fresh.cwd, "i.db")]);
  });
});

describe("roots", () => {
  const both = '[mcp.tools]\nallowed_roots = ["/t"]\n[mcp.linux_ops.roots]\nallowed_roots = ["/l"]\n';

  test("are none by default", async () => {
    const fresh = await freshFolder();
    expect((await fresh.load()).roots).toEqual([]);
  });

  test("of tools count where those of linux_ops are unset", async () => {
    const fresh = await freshFolder();
    expect((await fresh.loadText('[mcp.tools]\nallowed_roots = ["/t"]\n')).roots).toEqual(["/t"]);
    expect((await fresh.loadText(both)).roots).toEqual(["/l"]);
  });

  test("an empty list written out is no roots, not an unset one", async () => {
    const fresh = await freshFolder();
    const text = '[mcp.tools]\nallowed_roots = ["/t"]\n[mcp.linux_ops.roots]\nallowed_roots = []\n';
    expect((await fresh.loadText(text)).roots).toEqual([]);
  });

  test("of the environment come before the file's, of --root before those", async () => {
    const fresh = await freshFolder();
    const env = { LLMC_ROOTS: "/e:~:/e/:" };
    expect((await fresh.loadText(both, { env })).roots).toEqual(["/e", fresh.home]);
    expect((await fresh.loadText(both, { env, roots: [".", "/f"] })).roots).toEqual([fresh.cwd, "/f"]);
  });

  test("a --set comes before LLMC_ROOTS", async () => {
    const fresh = await freshFolder();
    const options = { env: { LLMC_ROOTS: "/e" }, set: ["mcp.linux_ops.roots.allowed_roots=/s,/t"] };
    expect((await fresh.load(options)).roots).toEqual(["/s", "/t"]);
  });

  test("enforce_roots = false means the whole machine", async () => {
    const fresh = await freshFolder();
    const { roots, warnings } = await fresh.load({ roots: ["/a"], set: ["mcp.linux_ops.roots.enforce_roots=false"] });
    expect({ roots, warnings }).toEqual({
      roots: ["/"],
      warnings: [
        "mcp.linux_ops.roots.enforce_roots = false opens the whole machine to tools: every file that this user can reach",
      ],
    });
  });
});

describe("the data dir", () => {
  const volume = '[mcp.docker]\ndata_volume = "v"\n';

  test.for([
    ["--data-dir", { dataDir: "flag", env: { LLMC_DATA_DIR: "/env" } }, "cwd/flag"],
    ["LLMC_DATA_DIR", { env: { LLMC_DATA_DIR: "env" } }, "cwd/env"],
    ["docker.data_volume, from the file's folder", { env: { LLMC_DATA_DIR: "" } }, "v"],
  ] as const)("is %s", async ([, options, expected]) => {
    const fresh = await freshFolder();
    expect((await fresh.loadText(volume, options)).dataDir).toBe(join(fresh.dir, expected));
  });

  test("is below XDG_STATE_HOME, else in the home", async () => {
    const fresh = await freshFolder();
    expect((await fresh.load({ env: { XDG_STATE_HOME: "/state" } })).dataDir).toBe("/state/llmc");
    expect((await fresh.load()).dataDir).toBe(join(fresh.home, ".local/state/llmc"));
  });

  test("is not made by loading", async () => {
    const fresh = await freshFolder();
    const { dataDir } = await fresh.load();
    await expect(access(dataDir ?? "")).rejects.toMatchObject({ code: "ENOENT" });
    expect(await readdir(fresh.home)).toEqual([]);
  });
});

test("killing other users' processes implies seeing them", async () => {
  const fresh = await freshFolder();
  const { mcp } = await fresh.load({ set: ["mcp.linux_ops.process_limits.allow_kill_other_users=true"] });
  expect(mcp.linux_ops.process_limits.list_other_users).toBe(true);
});

test("settings cannot be changed in passing", async () => {
  const fresh = await freshFolder();
  const settings = await fresh.load();
  expect(() => settings.mcp.tools.toolsets.push("all")).toThrow(TypeError);
});

test("without options, the process's own environment and home are read", async () => {
  const fresh = await freshFolder();
  const file = await fresh.write("own.toml", port(1));
  const before = process.env["LLMC_CONFIG"];
  process.env["LLMC_CONFIG"] = file;
  try {
    const { loadConfig } = await import("../src/index.js");
    expect((await loadConfig()).file).toBe(file);
  } finally {
    if (before === undefined) delete process.env["LLMC_CONFIG"];
    else process.env["LLMC_CONFIG"] = before;
  }
});
