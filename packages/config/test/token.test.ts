import { execFileSync, fork, type ChildProcess } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { resolveToken, settingsOf, type McpInput } from "../src/index.js";
import { freshFolder } from "./fresh.js";

const GOOD = "abcdefghijklmnop";

async function freshData(mcp: McpInput = {}) {
  const { dir } = await freshFolder();
  const dataDir = join(dir, "new", "data");
  return { dir, dataDir, file: join(dataDir, "token"), settings: settingsOf({ dataDir, mcp }) };
}

function startProgram(program: string, dataDir: string): ChildProcess {
  const execArgv = ["--conditions=llmc-source", "--import", "tsx"];
  const child = fork(program, [dataDir], { execArgv, stdio: "inherit" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** The child's next message; a child that ends without one fails the test at once. */
function said(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`ended with ${code} before it said anything`)));
  });
}

const local = { env: {}, loopback: true } as const;
const remote = { env: {}, loopback: false } as const;

describe("a kept token", () => {
  test("is made once, for its owner's eyes only", async () => {
    const { dataDir, file, settings } = await freshData();
    const token = await resolveToken(settings, local);

    expect(token).toEqual({ value: expect.stringMatching(/^[\w-]{43}$/), source: "new", file });
    expect(await readFile(file, "utf8")).toBe(`${token?.value}\n`);
    expect([(await lstat(dataDir)).mode & 0o777, (await lstat(file)).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(await readdir(dataDir)).toEqual(["token"]);
  });

  test("is private even under a generous umask", async () => {
    const { file, settings } = await freshData();
    const before = process.umask(0);
    try {
      await resolveToken(settings, local);
    } finally {
      process.umask(before);
    }
    expect((await lstat(file)).mode & 0o777).toBe(0o600);
  });

  test("is reused by later starts, also on an address that others can reach", async () => {
    const { file, settings } = await freshData();
    const first = await resolveToken(settings, local);
    const again = { value: first?.value, source: "file", file };
    expect(await resolveToken(settings, local)).toEqual(again);
    expect(await resolveToken(settings, remote)).toEqual(again);
  });

  test("two are never the same", async () => {
    const [a, b] = [await freshData(), await freshData()];
    expect((await resolveToken(a.settings, local))?.value).not.toBe((await resolveToken(b.settings, local))?.value);
  });

  test("is replaced on request, in a file of its own", async () => {
    const { dataDir, file, settings } = await freshData();
    const old = await resolveToken(settings, local);
    const fresh = await resolveToken(settings, { ...local, renew: true });

    expect(fresh).toEqual({ value: expect.stringMatching(/^[\w-]{43}$/), source: "new", file });
    expect(fresh?.value).not.toBe(old?.value);
    expect(await resolveToken(settings, local)).toEqual({ ...fresh, source: "file" });
    expect(await readdir(dataDir)).toEqual(["token"]);
  });

  test("a request for a new one makes the first as well, and mends what cannot be used", async () => {
    const { dataDir, file, settings } = await freshData();
    await mkdir(dataDir, { recursive: true });
    await writeFile(file, "short", { mode: 0o644 });
    expect(await resolveToken(settings, { ...local, renew: true })).toMatchObject({ source: "new" });
    expect((await lstat(file)).mode & 0o777).toBe(0o600);

    const other = await freshData();
    expect(await resolveToken(other.settings, { ...local, renew: true })).toMatchObject({ source: "new" });
  });

  test("eight starts at once in this process agree on one", async () => {
    const { settings } = await freshData();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => resolveToken(settings, local)));
    expect(new Set(tokens.map((token) => token?.value)).size).toBe(1);
    expect(tokens.filter((token) => token?.source === "new")).toHaveLength(1);
  });

  test("processes that start at once agree on one", { timeout: 60_000 }, async () => {
    const { dataDir, settings } = await freshData();
    await mkdir(dataDir, { recursive: true });
    const program = join(import.meta.dirname, "fixtures", "token-program.ts");
    const children = Array.from({ length: 3 }, () => startProgram(program, dataDir));
    await Promise.all(children.map(said)); // each is loaded and waits
    const answers = children.map(said);
    for (const child of children) child.send("go");
    const values = await Promise.all(answers);

    const kept = await resolveToken(settings, local);
    expect(values).toEqual(children.map(() => kept?.value));
    expect(await readdir(dataDir)).toEqual(["token"]);
  });
});

describe("a token from elsewhere", () => {
  test("comes from the variable first, then from the configuration, and is not kept", async () => {
    const { dir, settings } = await freshData({ auth: { token: "from-the-config-file", token_env: "MINE" } });
    const env = { MINE: GOOD, LLMC_MCP_TOKEN: "not-asked-for-at-all" };

    expect(await resolveToken(settings, { env, loopback: false })).toEqual({ value: GOOD, source: "env", file: null });
    expect(await resolveToken(settings, { env: { MINE: "" }, loopback: false })).toEqual({
      value: "from-the-config-file",
      source: "config",
      file: null,
    });
    expect(await readdir(dir)).not.toContain("new");
  });

  test("is read from the process's environment where none is given", async () => {
    const { settings } = await freshData({ auth: { token_env: "LLMC_TEST_TOKEN" } });
    process.env["LLMC_TEST_TOKEN"] = GOOD;
    try {
      expect(await resolveToken(settings, { loopback: true })).toMatchObject({ value: GOOD, source: "env" });
    } finally {
      delete process.env["LLMC_TEST_TOKEN"];
    }
  });

  test("cannot be renewed", async () => {
    const { settings } = await freshData();
    const renewing = resolveToken(settings, { env: { LLMC_MCP_TOKEN: GOOD }, loopback: true, renew: true });
    await expect(renewing).rejects.toThrow("--new-token: has no effect while LLMC_MCP_TOKEN is set");
  });

  test.for(["abcdefghijklmno", "abcdefgh ijklmnop", "abcdefghijklmnop\n", "abcdefghijklmnöp", "x".repeat(4097)])(
    "is refused where it is short or does not survive a header: %j",
    async (value) => {
      const { settings } = await freshData();
      await expect(resolveToken(settings, { env: { LLMC_MCP_TOKEN: value }, loopback: true })).rejects.toThrow(
        "LLMC_MCP_TOKEN: a token needs 16 to 4096 printable ASCII characters without spaces",
      );
    },
  );
});

describe("no token is served", () => {
  test("with mode none on loopback", async () => {
    const { dir, settings } = await freshData({ auth: { mode: "none", allow_unauthenticated: true } });
    expect(await resolveToken(settings, local)).toBeNull();
    expect(await readdir(dir)).not.toContain("new");
  });

  test("with mode none elsewhere the start stops", async () => {
    const { settings } = await freshData({ auth: { mode: "none", allow_unauthenticated: true } });
    await expect(resolveToken(settings, remote)).rejects.toThrow(
      'mcp.auth.mode: "none" is for loopback addresses only',
    );
  });

  test.for([false, true])("where others can reach us and nobody set one (renew: %s)", async (renew) => {
    const { dir, settings } = await freshData();
    await expect(resolveToken(settings, { ...remote, renew })).rejects.toThrow(
      "LLMC_MCP_TOKEN: must be set where the address is not a loopback one",
    );
    expect(await readdir(dir)).not.toContain("new");
  });

  test("where there is no data dir to keep it in", async () => {
    await expect(resolveToken(settingsOf(), local)).rejects.toThrow(
      "LLMC_MCP_TOKEN: is not set, and there is no data dir to keep a token in",
    );
  });
});

describe("a token file that is not to be trusted stops the start", () => {
  async function kept(content: string, mode = 0o600) {
    const data = await freshData();
    await mkdir(data.dataDir, { recursive: true });
    await writeFile(data.file, content);
    await chmod(data.file, mode);
    return data;
  }

  test("because others can reach it", async () => {
    const { file, settings } = await kept(GOOD, 0o640);
    await expect(resolveToken(settings, local)).rejects.toThrow(
      `${file}: other users can reach this token (mode 0640): chmod 600 it, or --new-token`,
    );
  });

  test.for(["", "short\n", "x".repeat(5000), "two\nlines of text"])("because of what it holds", async (content) => {
    const { file, settings } = await kept(content);
    await expect(resolveToken(settings, local)).rejects.toThrow(`${file}: a token needs 16 to 4096 printable`);
  });

  test("because it is a link", async () => {
    const { dir, dataDir, file, settings } = await freshData();
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dir, "elsewhere"), GOOD, { mode: 0o600 });
    await symlink(join(dir, "elsewhere"), file);
    await expect(resolveToken(settings, local)).rejects.toThrow(`${file}: the token cannot be kept here (ELOOP)`);
  });

  test("because it is a folder or a FIFO", async () => {
    const folder = await freshData();
    await mkdir(folder.file, { recursive: true });
    await expect(resolveToken(folder.settings, local)).rejects.toThrow(`${folder.file}: is not a token file`);

    const pipe = await freshData();
    await mkdir(pipe.dataDir, { recursive: true });
    execFileSync("mkfifo", [pipe.file]);
    await expect(resolveToken(pipe.settings, local)).rejects.toThrow(`${pipe.file}: is not a token file`);
  });

  test("because its folder cannot be made", async () => {
    const { dir } = await freshFolder();
    await writeFile(join(dir, "file"), "");
    const settings = settingsOf({ dataDir: join(dir, "file", "data") });
    await expect(resolveToken(settings, local)).rejects.toThrow(
      `${join(dir, "file/data/token")}: the token cannot be kept here (ENOTDIR): set LLMC_DATA_DIR or LLMC_MCP_TOKEN`,
    );
  });
});
