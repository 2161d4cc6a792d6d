import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectTypeOf } from "vitest";
import { createLinuxOps, VERSION } from "../src/index.js";
import * as api from "../src/index.js";
import { test } from "./helpers.js";

test("the entry exports these names and no others", () => {
  expect(Object.keys(api).sort()).toEqual(["VERSION", "createLinuxOps", "linuxModule", "linuxTools", "openServices"]);
});

test("the version is the package's", () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
    version: string;
  };
  expect(VERSION).toBe(version);
});

test("arguments and results have the schemas' types", ({ ops }) => {
  const call = () => ops.call("linux.fs_read", { path: "/x", max_lines: 3 });
  expectTypeOf<Awaited<ReturnType<typeof call>>["meta"]["total_lines"]>().toEqualTypeOf<number>();
  // @ts-expect-error an unknown tool
  void (() => ops.call("linux.fs_raed", {}));
  // @ts-expect-error a wrong argument
  void (() => ops.call("linux.fs_read", { path: 1 }));
});

test("tools can be handed to a model API as they are", ({ ops }) => {
  const names = ops.tools.map(({ name }) => name);
  // Of the default toolsets, under names that every API takes.
  expect(names).toEqual(expect.arrayContaining(["linux_fs_read", "linux_fs_write", "linux_handle_read"]));
  expect(names).not.toContain("health");
  for (const { inputSchema } of ops.tools) expect(inputSchema.type).toBe("object");
});

test("health tells version, driver, engines, sandbox and uptime", async ({ root, ops }) => {
  expect(await ops.call("health", {})).toEqual({
    ok: true,
    version: VERSION,
    driver: "memory",
    engines: {
      content: expect.toSatisfy((value) => value === null || /^(?:ripgrep|grep) \d/.test(String(value))),
      names: expect.stringMatching(/^walk/),
      search_in: expect.stringMatching(/^(?:bubblewrap$|witness: \w)/),
      bwrap: expect.toSatisfy(pathOrNull),
      pdf: expect.stringMatching(/^(?:pdftotext|unpdf 1\.)/),
      sharp: expect.stringMatching(/^sharp \d/),
    },
    sandbox: expect.any(String),
    uptime_sec: expect.any(Number),
    roots: [root],
    problems: [],
  });
});

const pathOrNull = (value: unknown) => value === null || (typeof value === "string" && value.startsWith("/"));

test("each createLinuxOps is a session of its own; a call may name another", async ({ root }) => {
  writeFileSync(join(root, "long"), "x\n".repeat(300));
  const ops = createLinuxOps({ roots: [root] });
  const { handle } = await ops.call("linux.fs_read", { path: join(root, "long") });
  const read = (session?: string) =>
    ops.call("linux.handle_read", { handle: handle ?? "" }, session === undefined ? {} : { session });
  expect((await read()).total_bytes).toBe(600);
  await expect(read("other")).rejects.toMatchObject({ code: "HANDLE_NOT_FOUND" });
  await ops.close();
});

test("roots of which none can be opened are refused at once", () => {
  expect(() => createLinuxOps({ roots: ["/no/such/folder"] })).toThrow("/no/such/folder cannot be opened as a root");
});

test("a closed one says so, and may be closed again", async ({ root }) => {
  const ops = createLinuxOps({ roots: [root] });
  await ops.close();
  await ops.close();
  await expect(ops.call("health", {})).rejects.toMatchObject({ code: "ENGINE_UNAVAILABLE" });
});

test("a thousand parallel calls are all answered", async ({ root, ops }) => {
  writeFileSync(join(root, "a"), "x\n");
  const calls = Array.from({ length: 1000 }, () => ops.call("linux.fs_read", { path: "a" }));
  expect(new Set((await Promise.all(calls)).map(({ content }) => content))).toEqual(new Set(["x\n"]));
});

test("a call can be cancelled", async ({ root, ops }) => {
  const call = ops.call("linux.fs_read", { path: join(root, "x") }, { signal: AbortSignal.abort() });
  await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
});

test("as a library it leaves the process as it found it", ({ root }) => {
  writeFileSync(join(root, "long"), "x\n".repeat(300));
  const script = join(import.meta.dirname, "fixtures/library-guest.ts");
  const output = execFileSync(process.execPath, ["--conditions=llmc-source", "--import", "tsx", script, root], {
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"] ?? "",
      MCP_SECRET: "x",
      LLMC_ROOTS: "/",
      LLMC_MCP__TOOLS__NAMES: "dotted",
      // It writes its cache whenever it likes, and holds it open meanwhile.
      TSX_DISABLE_CACHE: "1",
    },
  });
  expect(JSON.parse(output)).toEqual({ changed: [], read: [], written: "" });
});

test("importing it loads no database", () => {
  const script =
    'await import("@llmc/linux-ops"); console.log(JSON.stringify(process.report.getReport().sharedObjects))';
  const output = execFileSync(
    process.execPath,
    ["--conditions=llmc-source", "--import", "tsx", "--input-type=module", "-e", script],
    {
      encoding: "utf8",
      cwd: join(import.meta.dirname, ".."),
    },
  );
  expect(output).not.toMatch(/sqlite/i);
});
