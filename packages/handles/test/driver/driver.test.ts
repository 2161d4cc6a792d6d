import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test as plain } from "vitest";
import { refuseCrash, refuseFinalizers } from "../../src/driver/better-sqlite.js";
import { withoutWarning } from "../../src/driver/node-sqlite.js";
import { bundle } from "../bundle.js";
import { KINDS, test } from "../drivers.js";

const run = promisify(execFile);
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "handles-bundle-"));
  program = await bundle("test/fixtures/kind.ts", folder);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Said {
  readonly kind: string;
  readonly same: boolean;
  readonly warnings: readonly string[];
}

async function start(main: string, dir: string): Promise<Said & { readonly stderr: string }> {
  const { stdout, stderr } = await run(process.execPath, [main, join(dir, "data")]);
  return { ...(JSON.parse(stdout) as Said), stderr };
}

/** The program where nothing but these packages is installed. */
async function alone(dir: string, packages: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const place = join(dir, "program");
  await cp(folder, place, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  for (const [name, files] of Object.entries(packages)) {
    for (const [file, text] of Object.entries(files)) {
      const path = join(place, "node_modules", name, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }
  return join(place, "main.mjs");
}

const BINARY = "build/Release/better_sqlite3.node";
const IMPORT = "_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_";

const FALLBACK = KINDS.includes("node:sqlite") ? "node:sqlite" : "memory";
const WARNING = expect.stringMatching(/^No SQLite driver loads here.* lost .*Node 22\.13.*npm rebuild better-sqlite3/);

plain.skipIf(!KINDS.includes("better-sqlite3"))(
  "a bundled program takes better-sqlite3 where it is installed",
  async () => {
    expect(await start(program, folder)).toEqual({ kind: "better-sqlite3", same: true, warnings: [], stderr: "" });
  },
);

describe("without it the server works all the same, and says what is lost when nothing is kept", () => {
  const expected = { kind: FALLBACK, same: true, warnings: FALLBACK === "memory" ? [WARNING] : [], stderr: "" };

  test("when it is not installed", async ({ dir }) => {
    expect(await start(await alone(dir, {}), dir)).toEqual(expected);
  });

  test("when its binary was never built", async ({ dir }) => {
    const main = await alone(dir, {
      "better-sqlite3": {
        "package.json": '{ "name": "better-sqlite3", "version": "12.11.1", "main": "lib/index.js" }',
        "lib/index.js": 'module.exports = function () { throw new Error("Could not locate the bindings file") }',
      },
    });
    expect(await start(main, dir)).toEqual(expected);
  });

  test.skipIf(FALLBACK === "memory")("when its binary ends the process at a garbage collection", async ({ dir }) => {
    const main = await alone(dir, {
      "better-sqlite3": {
        "package.json": '{ "name": "better-sqlite3", "version": "12.11.1", "main": "lib/index.js" }',
        "lib/index.js": "process.kill(process.pid, 'SIGABRT')",
        [BINARY]: `\0${IMPORT}\0`,
      },
    });
    expect(await start(main, dir)).toEqual(expected);
  });

  plain.skipIf(FALLBACK !== "memory")("when loading it would end the process", async () => {
    const dir = await mkdtemp(join(tmpdir(), "handles-"));
    const main = await alone(dir, {
      "better-sqlite3": {
        "package.json": '{ "name": "better-sqlite3", "version": "13.2.0", "exports": "./lib/index.js" }',
        "lib/index.js": "process.kill(process.pid, 'SIGSEGV')",
      },
    });
    const said = await start(main, dir);
    await rm(dir, { recursive: true });
    expect(said).toEqual(expected);
    expect(said.warnings[0]).toContain(
      `better-sqlite3 13.2.0 needs Node 22.14 or newer, this is ${process.versions.node}`,
    );
  });
});

plain.for([
  ["12.11.1", "20.19.0", false],
  ["12.11.1", "24.1.0", false],
  ["13.2.0", "20.20.2", true],
  ["13.2.0", "22.13.9", true],
  ["13.2.0", "22.14.0", false],
  ["13.2.0", "24.0.0", false],
  ["14.0.0-rc.1", "18.0.0", true],
] as const)("better-sqlite3 %s on Node %s: refused %s", ([version, node, refused]) => {
  const attempt = () => refuseCrash(version, node);
  if (refused) expect(attempt).toThrow("needs Node 22.14");
  else expect(attempt).not.toThrow();
});

test("a binary that takes hooks back in its finalizers is refused where another SQLite can serve", async ({ dir }) => {
  await mkdir(dirname(join(dir, BINARY)), { recursive: true });
  await writeFile(join(dir, BINARY), `\0${IMPORT.replace("28Remove", "25Add")}\0`);
  refuseFinalizers(dir, "24.21.0");
  await writeFile(join(dir, BINARY), `\0${IMPORT}\0`);
  for (const node of ["22.30.0", "24.19.0", "26.1.0"])
    expect(() => refuseFinalizers(dir, node)).toThrow(`built for this Node (${node}) aborts`);
  refuseFinalizers(dir, "20.20.2");
  refuseFinalizers(join(dir, "elsewhere"), "24.21.0");
});

plain("only SQLite's own announcement is kept from the operator", () => {
  const seen: unknown[][] = [];
  const { emitWarning } = process;
  process.emitWarning = (...args: unknown[]) => void seen.push(args);
  const listening = process.emitWarning;
  try {
    withoutWarning(() => {
      process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
      process.emitWarning("Other is an experimental feature", "ExperimentalWarning");
      process.emitWarning("SQLite is slow", "DeprecationWarning", "DEP1");
    });
    expect(process.emitWarning).toBe(listening);
    expect(() =>
      withoutWarning(() => {
        throw new Error("no such module");
      }),
    ).toThrow("no such module");
    expect(process.emitWarning).toBe(listening);
  } finally {
    process.emitWarning = emitWarning;
  }
  expect(seen).toEqual([
    ["Other is an experimental feature", "ExperimentalWarning"],
    ["SQLite is slow", "DeprecationWarning", "DEP1"],
  ]);
});
