import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { execaSync } from "execa";
import { expect } from "vitest";
import { connectHttp, connectStdio, test, type Fixtures } from "../servers.js";

type Args = Record<string, unknown>;

const undo = { id: expect.any(String), held_bytes: expect.any(Number) };

async function call(client: Client, name: string, args: Args): Promise<unknown> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
  expect([name, isError ?? false]).toEqual([name, false]);
  // The text begins with a header in plain words, and does not repeat the payload.
  expect((content as { text: string }[])[0]?.text).toMatch(/^\[[^{"]+\]/);
  return structuredContent;
}

async function refusal(client: Client, name: string, args: Args): Promise<unknown> {
  const { isError, structuredContent } = await client.callTool({ name, arguments: args });
  expect([name, isError]).toEqual([name, true]);
  const { code, hint } = structuredContent as { code: string; hint?: string };
  return { code, hint };
}

/** Over both transports, with the SDK's own client and a folder of its own. */
async function eachClient(
  { http, stdio, root }: Pick<Fixtures, "http" | "stdio" | "root">,
  use: (client: Client, dir: string) => Promise<void>,
): Promise<void> {
  const overHttp = await connectHttp(http);
  for (const [name, client] of [
    ["stdio", stdio.client],
    ["http", overHttp],
  ] as const) {
    mkdirSync(join(root, name));
    await use(client, join(root, name));
  }
  await overHttp.close();
}

/** All of a tree that a user can see. */
function look(dir: string): string {
  return execaSync("find", [dir, "-printf", "%P %y %m %l %s %T@\n"]).stdout;
}

function plantTree(dir: string): void {
  mkdirSync(join(dir, "t/sub/empty"), { recursive: true });
  writeFileSync(join(dir, "t/sub/f"), "inside", { mode: 0o600 });
  symlinkSync("/etc", join(dir, "t/out"));
  execaSync("find", [join(dir, "t"), "-exec", "touch", "-h", "-d", "2021-03-04T05:06:07.123456Z", "{}", "+"]);
}

test("fs_move gives files and trees another name, into a folder too, and back (001-R9, 002-3.1.4)", async ({
  root,
  http,
  stdio,
}) => {
  await eachClient({ root, http, stdio }, async (client, dir) => {
    plantTree(dir);
    mkdirSync(join(dir, "into"));
    const before = look(join(dir, "t"));
    const source = join(dir, "t");
    const there = { ok: true, source, target: join(dir, "into/t"), undo };
    expect(await call(client, "linux_fs_move", { source, target: join(dir, "into") })).toEqual(there);
    expect([existsSync(source), look(join(dir, "into/t"))]).toEqual([false, before]);
    await call(client, "linux_fs_undo", {});
    expect([look(source), readdirSync(join(dir, "into"))]).toEqual([before, []]);
  });
});

test("fs_move replaces nothing in silence, goes nowhere outside, and never moves a root (001-R9)", async ({
  root,
  home,
  http,
  stdio,
}) => {
  await eachClient({ root, http, stdio }, async (client, dir) => {
    for (const name of ["a", "b"]) writeFileSync(join(dir, name), name);
    symlinkSync(home, join(dir, "out"));
    const [source, target] = [join(dir, "a"), join(dir, "b")];
    expect(await refusal(client, "linux_fs_move", { source, target })).toEqual({
      code: "ALREADY_EXISTS",
      hint: "Pass overwrite: true to replace it.",
    });
    for (const [wrong, code] of [
      [{ source, target: join(home, "x") }, "INVALID_PATH"],
      [{ source, target: join(dir, "out/x") }, "INVALID_PATH"],
      [{ source: join(home, "x"), target }, "INVALID_PATH"],
      [{ source: root, target: join(dir, "x") }, "PERMISSION_DENIED"],
      [{ source: dir, target: join(dir, "x") }, "INVALID_ARGUMENT"],
    ] as const)
      expect(await refusal(client, "linux_fs_move", wrong)).toMatchObject({ code });
    expect(readdirSync(home)).not.toContain("x");
    expect(await call(client, "linux_fs_move", { source, target, overwrite: true })).toMatchObject({ replaced: true });
    await call(client, "linux_fs_undo", {});
    expect([readFileSync(source, "utf8"), readFileSync(target, "utf8")]).toEqual(["a", "b"]);
  });
});

test("fs_move copies a tree with its links, modes and times", async ({ root, http, stdio }) => {
  await eachClient({ root, http, stdio }, async (client, dir) => {
    plantTree(dir);
    const [source, target] = [join(dir, "t"), join(dir, "new/u")];
    expect(await refusal(client, "linux_fs_move", { source, target, copy: true })).toEqual({
      code: "NOT_FOUND",
      hint: "Make that folder with linux_fs_mkdirs.",
    });
    const args = { source, target, copy: true, create_parents: true };
    expect(await call(client, "linux_fs_move", args)).toMatchObject({
      target,
      copied: { entries: 5, bytes: 10 },
      undo,
    });
    expect(look(target).split("\n").toSorted()).toEqual(look(source).split("\n").toSorted());
    await call(client, "linux_fs_undo", {});
    expect(readdirSync(dir)).toEqual(["t"]);
  });
});

test("fs_delete takes folders only with recursive, says what would go, counts it, and gives it back (001-R10, 002-3.1.4)", async ({
  root,
  http,
  stdio,
}) => {
  await eachClient({ root, http, stdio }, async (client, dir) => {
    plantTree(dir);
    const path = join(dir, "t");
    const before = look(path);
    expect(await refusal(client, "linux_fs_delete", { path })).toEqual({
      code: "IS_DIRECTORY",
      hint: "Pass recursive: true to delete it with all it holds.",
    });
    const dry = await client.callTool({
      name: "linux_fs_delete",
      arguments: { path, recursive: true, dry_run: true },
    });
    expect(dry.structuredContent).toEqual({
      ok: true,
      path,
      removed: 0,
      would_remove: {
        entries: 5,
        bytes: expect.any(Number),
        names: expect.arrayContaining(["out", "sub/", "sub/empty/", "sub/f"]),
        folders: [{ name: "sub/", entries: 2 }],
      },
    });
    expect((dry.content as { text: string }[])[0]?.text).toMatch(
      /^\[\S+\/t · dry run: 5 entries would go, \S+ on disk\]\nsub\/ — 2 entries\nout$/,
    );
    expect(look(path)).toBe(before);
    expect(await call(client, "linux_fs_delete", { path, recursive: true })).toEqual({
      ok: true,
      path,
      removed: 5,
      undo,
    });
    expect([existsSync(path), existsSync("/etc/passwd")]).toEqual([false, true]);
    await call(client, "linux_fs_undo", {});
    expect(look(path)).toBe(before);
  });
});

test("fs_delete spares the root, what is outside, what others execute and the server's own state (001-R10)", async ({
  root,
  home,
  http,
  stdio,
}) => {
  await eachClient({ root, http, stdio }, async (client, dir) => {
    mkdirSync(join(dir, "repo/.git/hooks"), { recursive: true });
    symlinkSync(home, join(dir, "home"));
    for (const [path, code] of [
      [root, "PERMISSION_DENIED"],
      ["/", "INVALID_PATH"],
      [home, "INVALID_PATH"],
      [join(dir, "home/.local"), "INVALID_PATH"],
      [join(dir, "repo/.git/hooks"), "PERMISSION_DENIED"],
    ] as const)
      expect([path, await refusal(client, "linux_fs_delete", { path, recursive: true })]).toMatchObject([
        path,
        { code },
      ]);
    // The link itself is the user's.
    expect(await call(client, "linux_fs_delete", { path: join(dir, "home") })).toMatchObject({ removed: 1 });
    expect(existsSync(home)).toBe(true);
  });
});

test("with root / the server's own state and the system stay where they are", async ({ home }) => {
  const { client } = await connectStdio("/", home);
  writeFileSync(join(home, "f"), "x");
  await call(client, "linux_fs_delete", { path: join(home, "f") });
  for (const [path, code] of [
    ["/", "PERMISSION_DENIED"],
    ["/proc/self/fd", "INVALID_PATH"],
    [join(home, ".local"), "PERMISSION_DENIED"],
    [join(home, ".local/state/llmc"), "INVALID_PATH"],
    [join(home, ".local/state/llmc/undo"), "INVALID_PATH"],
    [home, "PERMISSION_DENIED"],
  ] as const)
    expect([path, await refusal(client, "linux_fs_delete", { path, recursive: true })]).toMatchObject([path, { code }]);
  await call(client, "linux_fs_undo", {});
  expect(readFileSync(join(home, "f"), "utf8")).toBe("x");
  await client.close();
});

test("what one session deleted, another one does not take back", async ({ root, http }) => {
  const [mine, theirs] = [await connectHttp(http), await connectHttp(http)];
  writeFileSync(join(root, "f"), "x");
  const { undo: entry } = (await call(mine, "linux_fs_delete", { path: "f" })) as { undo: { id: string } };
  expect(await refusal(theirs, "linux_fs_undo", { id: entry.id })).toMatchObject({ code: "NOT_FOUND" });
  await call(mine, "linux_fs_undo", { id: entry.id });
  expect(readFileSync(join(root, "f"), "utf8")).toBe("x");
  await Promise.all([mine.close(), theirs.close()]);
});
