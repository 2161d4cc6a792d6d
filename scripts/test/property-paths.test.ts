import { expect, test } from "vitest";
import { pathsRead } from "../src/property-paths.js";

test.for([
  ["a path, whatever stands before it", "use(settings.mcp.tools.names);", ["settings.mcp", "mcp.tools", "tools.names"]],
  ["optional and quoted members", 'use(mcp.tools?.["names"]);', ["mcp.tools", "tools.names"]],
  ["a member taken apart", "const { names, allow: only } = mcp.tools;", ["mcp.tools", "tools.names", "tools.allow"]],
  ["a nested pattern", "const { tools: { names } } = settings.mcp;", ["settings.mcp", "mcp.tools", "tools.names"]],
  ["an argument taken apart", "function f({ mcp: { tools: { names } } }) {}", ["mcp.tools", "tools.names"]],
  ["the switches of a tool", 'const tool = { features: ["mcp.a.b"] };', ["mcp.a.b"]],
  ["what comes from the config package", 'import { tokenAuditFile } from "@llmc/config";', ["tokenAuditFile"]],
] as const)("sees %s", ([, source, expected]) => {
  expect(pathsRead("a.ts", source)).toEqual(new Set<string>(expected));
});

test.for([
  ["a name in a message", 'throw new Error("mcp.tools.names is wrong");'],
  ["a name in a comment", "// mcp.tools.names"],
  ["a key made for somebody else", "const answer = { tools: { names: 1 } };"],
  ["the rest of a pattern", "const { ...tools } = mcp;"],
] as const)("does not take %s for a read", ([, source]) => {
  expect([...pathsRead("a.ts", source)].filter((path) => path !== "mcp.tools")).toEqual([]);
});
