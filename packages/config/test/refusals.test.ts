import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigError, type LoadOptions, type Settings } from "../src/index.js";
import { freshFolder } from "./fresh.js";

/** What went wrong, with the folder of this run taken out of the text. */
async function refusal(loading: Promise<Settings>, dir: string) {
  const thrown: unknown = await loading.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof ConfigError)) throw new Error(`expected a ConfigError, got ${String(thrown)}`);
  const { message, line, key } = thrown;
  for (const text of [message, ...thrown.problems]) expect(text).not.toMatch(/[\n\r]/);
  return { message: message.replaceAll(dir, "D"), line, key };
}

async function refusalOf(toml: string | Uint8Array, options: LoadOptions = {}) {
  const fresh = await freshFolder();
  return refusal(fresh.loadText(toml, options), fresh.dir);
}

describe("a file that cannot be used stops the start", () => {
  test("a missing one that was named", async () => {
    const { dir, load } = await freshFolder();
    const message = "D/gone.toml: this config file does not exist";
    expect(await refusal(load({ file: `${dir}/gone.toml` }), dir)).toMatchObject({ message });
    expect(await refusal(load({ env: { LLMC_CONFIG: `${dir}/gone.toml` } }), dir)).toMatchObject({ message });
  });

  test("an empty name", async () => {
    const { dir, load } = await freshFolder();
    expect(await refusal(load({ file: "" }), dir)).toMatchObject({ message: "--config: needs the path of a file" });
  });

  test("a folder, even where nobody named it", async () => {
    const { dir, home, load } = await freshFolder();
    await mkdir(join(home, ".config/llmc/llmc.toml"), { recursive: true });
    const message = "D/home/.config/llmc/llmc.toml: is a folder, not a config file";
    expect(await refusal(load(), dir)).toMatchObject({ message });
  });

  test("a FIFO, without waiting for its writer", async () => {
    const { dir, load } = await freshFolder();
    execFileSync("mkfifo", [join(dir, "pipe")]);
    const message = "D/pipe: is not a regular file";
    expect(await refusal(load({ file: join(dir, "pipe") }), dir)).toMatchObject({ message });
  });

  test("a circle of links", async () => {
    const { dir, load } = await freshFolder();
    await symlink("round", join(dir, "round"));
    const message = "D/round: this config file cannot be read: its links lead in a circle";
    expect(await refusal(load({ file: join(dir, "round") }), dir)).toMatchObject({ message });
  });

  test("below a file instead of a folder", async () => {
    const { dir, write, load } = await freshFolder();
    await write("file", "");
    const message = "D/file/x: this config file does not exist: a part of its path is a file";
    expect(await refusal(load({ file: join(dir, "file/x") }), dir)).toMatchObject({ message });
  });

  test.skipIf(process.getuid?.() === 0)("one that may not be read (skipped as root, who may read all)", async () => {
    const { dir, write, load } = await freshFolder();
    const file = await write("shut.toml", "[mcp]");
    await chmod(file, 0);
    const message = "D/shut.toml: this config file cannot be read: permission denied";
    expect(await refusal(load({ file }), dir)).toMatchObject({ message });
  });

  test("a huge one", async () => {
    expect(await refusalOf(`#${"x".repeat(1024 * 1024)}`)).toMatchObject({
      message: "D/llmc.toml: has 1048577 bytes, more than a config file may have (1048576)",
    });
  });

  test("broken UTF-8, with its line", async () => {
    const bytes = Buffer.concat([Buffer.from('[mcp]\n# \ufffd\nx = "'), Buffer.from([0xc3, 0x28]), Buffer.from('"\n')]);
    expect(await refusalOf(bytes)).toMatchObject({ message: "D/llmc.toml:3: is not valid UTF-8", line: 3 });
  });

  test.for([
    ["[mcp]\nenabled = yes\n", 2, "invalid value (column 11)"],
    ["[mcp]\nenabled = true\nenabled = true\n", 3, "trying to redefine an already defined table or value (column 1)"],
    ["[mcp]\n[mcp.tools]\n[mcp.tools]\n", 3, "trying to redefine an already defined table or value (column 2)"],
  ] as const)("broken TOML, with its line: %j", async ([toml, line, problem]) => {
    expect(await refusalOf(toml)).toMatchObject({ message: `D/llmc.toml:${line}: not valid TOML: ${problem}`, line });
  });

  test("broken TOML does not quote the line, which may hold a secret", async () => {
    expect((await refusalOf('[mcp.auth]\ntoken = "hunter2hunter2hunter2\n')).message).not.toContain("hunter2");
  });
});

describe("what the schema does not know or allow is told with file, line, key and what is allowed", () => {
  test.for([
    ["[mcp.tools]\n\nnmaes = 1", 3, "mcp.tools.nmaes", "there is no such key (nearest: mcp.tools.names)"],
    ["[mcp.tolls]\nnames = 1", 1, "mcp.tolls", "there is no such key (nearest: mcp.tools)"],
    [
      "mcp.tools.max_total_bytes = 1",
      1,
      "mcp.tools.max_total_bytes",
      "there is no such key (nearest: mcp.handles.max_total_bytes)",
    ],
    [
      "mcp.tools.stale_guard = 1",
      1,
      "mcp.tools.stale_guard",
      "there is no such key (nearest: mcp.linux_ops.fs.stale_guard)",
    ],
    ["\ufeffmcp.x = 1 # after a byte order mark", 1, "mcp.x", "there is no such key (nearest: mcp)"],
    ["[mcp]\n__proto__ = 3", 2, "mcp.__proto__", "there is no such key (nearest: mcp.rag.top_k)"],
    ["[mcp.__proto__]\nenabled = false", 1, "mcp.__proto__", "there is no such key (nearest: mcp.rag.top_k)"],
    ["[mcp]\nconstructor.prototype.x = 1", 2, "mcp.constructor", "there is no such key (nearest: mcp.rag.contracts)"],
    ["mcp = 3", 1, "mcp", "must be a table, not 3"],
    ["[[mcp]]\nenabled = true", 1, "mcp", "must be a table, not a list"],
    ["[mcp]\ntools = 2020-01-01", 2, "mcp.tools", "must be a table, not a date"],
    ['[mcp.server]\nport = "8080"', 2, "mcp.server.port", 'must be a whole number from 0 to 65535, not "8080"'],
    ["[mcp.server]\nport = 65536", 2, "mcp.server.port", "must be a whole number from 0 to 65535, not 65536"],
    ["[mcp.server]\nport = 1.5", 2, "mcp.server.port", "must be a whole number from 0 to 65535, not 1.5"],
    ["[mcp.server]\nport = nan", 2, "mcp.server.port", "must be a whole number from 0 to 65535, not NaN"],
    [
      "[mcp.tools]\nexec_timeout = inf",
      2,
      "mcp.tools.exec_timeout",
      "must be a number from 0.1 to 86400, not Infinity",
    ],
    ["[mcp]\nenabled = 1", 2, "mcp.enabled", "must be true or false, not 1"],
    ["[mcp.tools.names]\nx = 1", 1, "mcp.tools.names", "must be one of underscore, dotted, auto, not a table"],
    [
      '[mcp.tools]\nnames = "doted"',
      2,
      "mcp.tools.names",
      'must be one of underscore, dotted, auto, not "doted" (nearest: dotted)',
    ],
    ['[mcp]\nconfig_version = "v1"', 2, "mcp.config_version", 'must be v0, not "v1" (nearest: v0)'],
    ['[mcp.tools]\ndeny = "x"', 2, "mcp.tools.deny", 'must be a list of text, not "x"'],
    ['[mcp.tools]\ndeny = ["x", 3]', 2, "mcp.tools.deny", "must be a list of text, not 3"],
    ['[mcp.tools]\ndeny = [""]', 2, "mcp.tools.deny", 'must be text that is not empty and has no NUL, not ""'],
    [
      "[mcp.linux_ops.roots]\nallowed_roots = [1979-05-27]",
      2,
      "mcp.linux_ops.roots.allowed_roots",
      "must be a list of paths, not a date",
    ],
    [
      '[mcp.te]\nscript_path = "~bob/te"',
      2,
      "mcp.te.script_path",
      '"~bob/te": only ~ and ~/… are understood, not another user\'s home',
    ],
    ['[mcp.te]\nscript_path = "a\\u0000b"', 2, "mcp.te.script_path", "a path cannot hold a NUL"],
    ['[mcp.auth]\nheader = "X Token"', 2, "mcp.auth.header", 'must be the name of an HTTP header, not "X Token"'],
    [
      '[mcp.rag.embeddings]\nbase_url = "http://u:p@h/"',
      2,
      "mcp.rag.embeddings.base_url",
      'must be an http:// or https:// address without user and password, or empty, not "http://u:p@h/"',
    ],
    [
      '[mcp.linux_ops.roots]\ndeny = ["../.ssh"]',
      2,
      "mcp.linux_ops.roots.deny",
      'must be a path below a home, such as ".ssh" or ".config/gh", not "../.ssh"',
    ],
  ] as const)("%j", async ([toml, line, key, problem]) => {
    expect(await refusalOf(toml)).toEqual({ message: `D/llmc.toml:${line}: ${key}: ${problem}`, line, key });
  });

  test.for(["allowed_binaries", "unsafe_binaries"])("a wildcard or an empty name in %s", async (list) => {
    for (const name of ["*", ""]) {
      const key = `mcp.linux_ops.commands.${list}`;
      expect(await refusalOf(`[mcp.linux_ops.commands]\n${list} = ["git", "${name}"]`)).toEqual({
        message: `D/llmc.toml:2: ${key}: must be a program's name or path; "*" and "" are not allowed, not "${name}"`,
        line: 2,
        key,
      });
    }
  });

  test("a wildcard in run_cmd_allowlist, from wherever it comes", async () => {
    const message = `--set: mcp.tools.run_cmd_allowlist: must be a program's name or path; "*" and "" are not allowed, not "*"`;
    expect(await refusalOf("", { set: ["mcp.tools.run_cmd_allowlist=*"] })).toMatchObject({ message });
  });

  test("a long or multi-line value stays one short line", async () => {
    const { message } = await refusalOf(`[mcp.tools]\nnames = "a\\n${"b".repeat(500)}"`);
    expect(message).toHaveLength(
      `D/llmc.toml:2: mcp.tools.names: must be one of underscore, dotted, auto, not `.length + 61,
    );
  });

  test("a file name cannot forge a second line", async () => {
    const { dir, write, load } = await freshFolder();
    const file = await write("a\nb\u202e.toml", "mcp = 3");
    expect((await refusal(load({ file }), dir)).message).toBe("D/a\\u000ab\\u202e.toml:1: mcp: must be a table, not 3");
  });

  test.for(["1234567890", '["1234567890"]', '"1234567890"', '"1234567890"x', "{x = 1234567890}"])(
    "a secret is not repeated: %s",
    async (written) => {
      expect((await refusalOf(`[mcp.auth]\ntoken = ${written}`)).message).not.toContain("123");
    },
  );

  test("a secret of a wrong type is told as such", async () => {
    expect(await refusalOf('[mcp.auth]\ntoken = ["x"]')).toMatchObject({
      message: "D/llmc.toml:2: mcp.auth.token: must be text, not what is written",
    });
  });
});

describe("settings that cannot be served together are refused where they were written", () => {
  test.for([
    [
      "[mcp.server]\ntls_enabled = true",
      2,
      "mcp.server.tls_enabled",
      "needs mcp.server.tls_cert and mcp.server.tls_key",
    ],
    [
      '[mcp.server]\ntls_enabled = true\ntls_cert = "c"',
      2,
      "mcp.server.tls_enabled",
      "needs mcp.server.tls_cert and mcp.server.tls_key",
    ],
    ['[mcp.auth]\nmode = "none"', 2, "mcp.auth.mode", '"none" needs mcp.auth.allow_unauthenticated = true as well'],
    [
      'mcp.auth = {mode = "none", allow_unauthenticated = true}\n[mcp.server]\nhost = "0.0.0.0"',
      3,
      "mcp.server.host",
      '0.0.0.0 is not a loopback address, so mcp.auth.mode must be "token"',
    ],
    [
      '[mcp.auth]\ntoken = "short"',
      2,
      "mcp.auth.token",
      "a token needs 16 to 4096 printable ASCII characters without spaces",
    ],
    [
      "[mcp.linux_ops.process_limits]\nmax_timeout_sec = 20\ndefault_timeout_sec = 21",
      3,
      "mcp.linux_ops.process_limits.default_timeout_sec",
      "is 21, more than mcp.linux_ops.process_limits.max_timeout_sec (20)",
    ],
    [
      "[mcp.tools]\nexec_timeout = 601\n[mcp.linux_ops.process_limits]\nmax_timeout_sec = 600",
      2,
      "mcp.tools.exec_timeout",
      "is 601, more than mcp.linux_ops.process_limits.max_timeout_sec (600)",
    ],
    [
      "[mcp.te]\ntimeout = 700\n[mcp.linux_ops.process_limits]\nmax_timeout_sec = 600",
      2,
      "mcp.te.timeout",
      "is 700, more than mcp.linux_ops.process_limits.max_timeout_sec (600)",
    ],
    [
      "[mcp.linux_ops.process_limits]\nmax_procs_total = 3\nmax_procs_per_session = 4",
      3,
      "mcp.linux_ops.process_limits.max_procs_per_session",
      "is 4, more than mcp.linux_ops.process_limits.max_procs_total (3)",
    ],
    [
      "[mcp.handles]\nmax_total_bytes = 1048576\nmax_payload_bytes = 1048577",
      3,
      "mcp.handles.max_payload_bytes",
      "is 1048577, more than mcp.handles.max_total_bytes (1048576)",
    ],
    [
      '[mcp.linux_ops.commands]\nenv_pass = ["HOME", "LLMC_MCP_TOKEN"]',
      2,
      "mcp.linux_ops.commands.env_pass",
      "LLMC_MCP_TOKEN holds a token, which no command may see",
    ],
    [
      '[mcp.observability]\nmetrics_path = "/mcp"',
      2,
      "mcp.observability.metrics_path",
      "/mcp is taken; choose another path, such as /metrics",
    ],
    ['[mcp.rag]\nengine = "llmc-http"', 2, "mcp.rag.engine", '"llmc-http" needs mcp.rag.llmc_http.base_url'],
    [
      '[mcp.rag.embeddings]\nprovider = "ollama"\nmodel = "m"',
      2,
      "mcp.rag.embeddings.provider",
      '"ollama" needs mcp.rag.embeddings.base_url and mcp.rag.embeddings.model',
    ],
  ] as const)("%j", async ([toml, line, key, problem]) => {
    expect(await refusalOf(toml)).toEqual({ message: `D/llmc.toml:${line}: ${key}: ${problem}`, line, key });
  });

  test("the same, made possible", async () => {
    const { loadText } = await freshFolder();
    const { mcp } = await loadText(`
      mcp.auth = { mode = "none", allow_unauthenticated = true }
      mcp.server = { tls_enabled = true, tls_cert = "c", tls_key = "k", host = "localhost" }
      mcp.rag.engine = "llmc-http"
      mcp.rag.llmc_http.base_url = "http://127.0.0.1:1/x"
      mcp.tools.exec_timeout = 5
      mcp.te.timeout = 5
      mcp.linux_ops.process_limits = { max_timeout_sec = 5, default_timeout_sec = 5 }
    `);
    expect(mcp.auth.mode).toBe("none");
  });

  test("the one that was overridden is blamed where the last word came from", async () => {
    const { message } = await refusalOf('[mcp.server]\nhost = "127.0.0.1"', {
      host: "0.0.0.0",
      env: { LLMC_MCP__AUTH__MODE: "none", LLMC_MCP__AUTH__ALLOW_UNAUTHENTICATED: "true" },
    });
    expect(message).toBe(
      '--host: mcp.server.host: 0.0.0.0 is not a loopback address, so mcp.auth.mode must be "token"',
    );
  });
});

describe("a token on an address that others can reach", () => {
  const open = { host: "0.0.0.0", transport: "http" } as const;
  const message =
    "--host: mcp.server.host: 0.0.0.0 is not a loopback address and there is no token: set LLMC_MCP_TOKEN (16 characters or more)";

  test.for([{}, { LLMC_MCP_TOKEN: "" }])("is demanded before anything listens: %j", async (env) => {
    expect(await refusalOf("", { ...open, env })).toMatchObject({ message, key: "mcp.server.host" });
  });

  test("may stand in the environment, in the file or in the data dir", async () => {
    const { dir, write, load, loadText } = await freshFolder();
    const found = [
      await load({ ...open, env: { LLMC_MCP_TOKEN: "x".repeat(16) } }),
      await loadText('[mcp.auth]\ntoken_env = "OTHER"', { ...open, env: { OTHER: "x".repeat(16) } }),
      await loadText(`[mcp.auth]\ntoken = "${"x".repeat(16)}"`, open),
      await write("data/token", "x".repeat(16)).then(() => load({ ...open, dataDir: join(dir, "data") })),
    ];
    expect(found).toHaveLength(4);
  });

  test.for(["127.0.0.1", "127.8.9.1", "::1", "[::1]", "localhost", "LOCALHOST"])(
    "is not demanded on %s",
    async (host) => {
      const { load } = await freshFolder();
      expect((await load({ ...open, host })).mcp.server.host).toBe(host);
    },
  );

  test.for(["0.0.0.0", "::", "127.0.0.1.example.org", "localhost.example.org", "10.0.0.1", "128.0.0.1"])(
    "is demanded on %s",
    async (host) => {
      expect((await refusalOf("", { ...open, host })).key).toBe("mcp.server.host");
    },
  );

  test("is not demanded over stdio", async () => {
    const { load } = await freshFolder();
    expect((await load({ ...open, transport: "stdio" })).mcp.auth.mode).toBe("token");
  });
});

describe("what the command line or the environment says wrong is told by its name", () => {
  test.for([
    [{ set: ["mcp.tools.nmaes=1"] }, "--set: mcp.tools.nmaes: there is no such key (nearest: mcp.tools.names)"],
    [{ set: ["tools.names=auto"] }, "--set: tools.names: there is no such key (nearest: mcp.tools.names)"],
    [{ set: ["mcp.tools.names"] }, "--set: mcp.tools.names: needs a value, as in --set mcp.tools.names=VALUE"],
    [{ set: ["mcp.server={port=1}"] }, "--set: mcp.server: is a table; set one of its keys, such as mcp.server.host"],
    [{ set: ["mcp.server.port=x"] }, '--set: mcp.server.port: must be a whole number from 0 to 65535, not "x"'],
    [
      { set: ["mcp.server.port=1\nmcp.enabled=false"] },
      '--set: mcp.server.port: must be a whole number from 0 to 65535, not "1\\nmcp.enabled=false"',
    ],
    [{ set: ["__proto__.x=1"] }, "--set: __proto__.x: there is no such key (nearest: mcp.tools)"],
    [{ set: ["=1"] }, "--set: : there is no such key (nearest: mcp)"],
    [{ port: Number.NaN }, "--port: mcp.server.port: must be a whole number from 0 to 65535, not NaN"],
    [
      { roots: [""] },
      '--root: mcp.linux_ops.roots.allowed_roots: must be text that is not empty and has no NUL, not ""',
    ],
    [{ dataDir: "" }, "--data-dir: needs the path of a folder"],
    [
      { env: { LLMC_MCP__TOOLS__NMAES: "1" } },
      "LLMC_MCP__TOOLS__NMAES: mcp.tools.nmaes: there is no such key (nearest: LLMC_MCP__TOOLS__NAMES)",
    ],
    [
      { env: { LLMC_MCP__tools__names: "auto" } },
      "LLMC_MCP__tools__names: mcp.tools.names: there is no such key (nearest: LLMC_MCP__TOOLS__NAMES)",
    ],
    [{ env: { LLMC_MCP__ENABLED: "" } }, 'LLMC_MCP__ENABLED: mcp.enabled: must be true or false, not ""'],
    [
      { env: { LLMC_ROOTS: "~bob" } },
      'LLMC_ROOTS: mcp.linux_ops.roots.allowed_roots: "~bob": only ~ and ~/… are understood, not another user\'s home',
    ],
  ] as const)("%j", async ([options, message]) => {
    expect(await refusalOf("", options)).toMatchObject({ message });
  });

  test("variables that are not ours are left alone", async () => {
    const { load } = await freshFolder();
    const settings = await load({ env: { LLMC_MCPX: "1", LLMC_ROOTZ: "/", LLMC_MCP_TOKEN: "t", PATH: "/bin" } });
    expect(settings.warnings).toEqual([]);
  });
});
