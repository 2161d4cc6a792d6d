import type * as nodeOs from "node:os";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { mcpSchema, settingsOf } from "../src/index.js";

const looked = vi.hoisted(() => ({ up: 0 }));
vi.mock("node:os", async (original) => {
  const os = await original<typeof nodeOs>();
  return { ...os, homedir: () => ((looked.up += 1), os.homedir()) };
});

describe("settings of a library user", () => {
  test("are the defaults where nothing is said", () => {
    expect({ ...settingsOf({ home: "/h" }) }).toEqual({
      mcp: mcpSchema.parse({}),
      file: null,
      dataDir: null,
      home: "/h",
      roots: [],
      filters: [],
      warnings: [],
      origins: {},
      moved: [],
      privatePaths: [],
    });
  });

  test("read no environment variable and look no home up", () => {
    const before = looked.up;
    const real = process.env;
    const asked: unknown[] = [];
    process.env = new Proxy(real, { get: (target, name) => (asked.push(name), Reflect.get(target, name) as unknown) });
    try {
      settingsOf({ roots: [".", "/b"], dataDir: "data", mcp: { te: { script_path: "te" } } });
    } finally {
      process.env = real;
    }
    expect({ asked, lookedUp: looked.up - before }).toEqual({ asked: [], lookedUp: 0 });
  });

  test("look the home up once a ~ has to be expanded", () => {
    const before = looked.up;
    const settings = settingsOf({ roots: ["~/x"] });
    expect({ roots: settings.roots, home: settings.home, lookedUp: looked.up - before }).toEqual({
      roots: [`${homedir()}/x`],
      home: homedir(),
      lookedUp: 1,
    });
  });

  test("take a relative path from the current folder, ~ from the home that was given", () => {
    const settings = settingsOf({ roots: ["a/../b", "~", "~/c/", "/d/"], home: "/h", dataDir: "~/data" });
    expect([settings.roots, settings.dataDir, settings.privatePaths]).toEqual([
      [resolve("b"), "/h", "/h/c", "/d"],
      "/h/data",
      ["/h/data"],
    ]);
  });

  test("roots given by themselves come before those in the table", () => {
    const mcp = { linux_ops: { roots: { allowed_roots: ["/a"] } } };
    expect(settingsOf({ mcp }).roots).toEqual(["/a"]);
    expect(settingsOf({ mcp, roots: ["/b"] }).roots).toEqual(["/b"]);
    expect(settingsOf({ mcp, roots: [] }).roots).toEqual(["/a"]);
  });

  test("warn about the whole machine", () => {
    expect(settingsOf({ roots: ["/"] }).warnings).toEqual([
      'the root "/" opens the whole machine to tools: every file that this user can reach',
    ]);
  });

  test("are checked as those of a file are", () => {
    const wrong = { tools: { nmaes: "dotted" } } as object;
    expect(() => settingsOf({ mcp: wrong })).toThrow(
      "mcp.tools.nmaes: there is no such key (nearest: mcp.tools.names)",
    );
    expect(() => settingsOf({ mcp: { server: { port: -1 } } })).toThrow(
      "mcp.server.port: must be a whole number from 0 to 65535, not -1",
    );
    expect(() => settingsOf({ mcp: { auth: { mode: "none" } } })).toThrow(
      'mcp.auth.mode: "none" needs mcp.auth.allow_unauthenticated = true as well',
    );
    expect(() => settingsOf({ mcp: JSON.parse('{"__proto__": {"enabled": false}}') as object })).toThrow(
      "mcp.__proto__: there is no such key",
    );
  });

  test("an undefined value is an absent one, and the caller's table is left as it was", () => {
    const mcp = { tools: { deny: ["x"], allow: undefined }, server: undefined };
    const settings = settingsOf({ mcp });
    expect(settings.mcp.tools).toMatchObject({ deny: ["x"], allow: [] });
    mcp.tools.deny.push("y");
    expect(settings.mcp.tools.deny).toEqual(["x"]);
  });
});
