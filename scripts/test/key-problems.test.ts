import { expect, test } from "vitest";
import { keyProblems, type KeySources } from "../src/key-problems.js";

const sources = (parts: Partial<KeySources>): KeySources => ({
  keys: ["mcp.tools.names"],
  effective: new Set(),
  open: { topics: { files: "…" }, config_keys: {} },
  ...parts,
});
const open = (config_keys: Record<string, string>) => ({ topics: { files: "…" }, config_keys });

test("a setting that nobody reads and nobody lists is a lie", () => {
  expect(keyProblems(sources({}))).toEqual([
    "mcp.tools.names: no source outside packages/config reads it, and open-topics.json does not list it.",
  ]);
});

test.for([
  ["has an effect", { effective: new Set(["mcp.tools.names"]) }],
  ["is listed with its topic", { open: open({ "mcp.tools.names": "files" }) }],
] as const)("a setting that %s is in order", ([, parts]) => {
  expect(keyProblems(sources(parts))).toEqual([]);
});

test.for([
  [
    "a setting that is read by now",
    { effective: new Set(["mcp.tools.names"]), open: open({ "mcp.tools.names": "files" }) },
    "mcp.tools.names: has an effect now; take it out of open-topics.json.",
  ],
  [
    "a setting that is gone",
    { effective: new Set(["mcp.tools.names"]), open: open({ "mcp.gone": "files" }) },
    "mcp.gone: open-topics.json lists it, but there is no such setting.",
  ],
  [
    "a topic that is closed",
    { open: open({ "mcp.tools.names": "search" }) },
    "mcp.tools.names: its topic search is not in open-topics.json.",
  ],
] as const)("the list may not name %s", ([, parts, problem]) => {
  expect(keyProblems(sources(parts))).toEqual([problem]);
});
