import { join } from "node:path";
import { expect, test } from "vitest";
import type { Tables } from "../src/plants.js";
import { ROOT } from "../src/workspace.js";

// `fences:prove` shows that the rules hold what the tables say; this pins what the tables may say.
const { MAY_IMPORT, FENCES } = (await import(join(ROOT, ".dependency-cruiser.mjs"))) as Tables;

const LEVELS: Readonly<Record<string, number>> = {
  errors: 0,
  config: 1,
  toolkit: 1,
  procfs: 0,
  names: 1,
  patch: 2,
  "te-path": 2,
  "te-undo": 3,
  "te-fs": 4,
  "te-run": 1,
  documents: 2,
  "te-shell": 2,
  "te-search": 5,
  "te-process": 3,
  "te-system": 2,
  handles: 1,
  audit: 2,
  commands: 5,
  envelope: 6,
  "linux-ops": 6,
  mcp: 6,
  cli: 7,
};

test("every edge leads down", () => {
  const edges = Object.entries(MAY_IMPORT).flatMap(([from, below]) => below.map((to) => [from, to] as const));

  expect(edges.filter(([from, to]) => !((LEVELS[to] ?? Infinity) < (LEVELS[from] ?? -1)))).toEqual([]);
});

test("the hands take what they need as arguments: none knows the settings", () => {
  const hands = Object.entries(MAY_IMPORT).filter(([name]) => name.startsWith("te-"));

  expect(hands.filter(([, below]) => below.includes("config"))).toEqual([]);
});

test("SQL is imported by the SQLite folders of two packages alone", () => {
  expect(FENCES.find(({ name }) => name === "db")?.except).toEqual([
    "^packages/handles/src/(driver|sqlite|sqlite-store)/",
    "^packages/audit/src/sqlite/",
  ]);
});

test("each capability has the owners that it was given", () => {
  expect(Object.fromEntries(FENCES.map(({ name, owners }) => [name, owners]))).toEqual({
    fs: [
      "packages/te-path",
      "packages/te-undo",
      "packages/te-fs",
      "packages/te-run",
      "packages/te-shell",
      "packages/procfs",
      "packages/te-system",
      "packages/config",
      "packages/handles",
      "packages/audit",
    ],
    spawn: ["packages/te-run", "packages/te-shell"],
    launchers: [],
    db: [],
    mcp: ["packages/mcp"],
    hono: ["apps/mcp-http"],
    net: ["apps/mcp-http"],
    pty: ["packages/te-process"],
    require: ["packages/handles"],
  });
});
