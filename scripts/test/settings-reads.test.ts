import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { settingsRead } from "../src/settings-reads.js";

const SCHEMA = `
export interface McpConfig {
  readonly tools: { readonly names: string; readonly allow: readonly string[] };
  readonly limits: { readonly names: string };
}
export declare const mcp: McpConfig;
`;

function readIn(text: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "reads-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [schema, reader] = [join(folder, "schema.ts"), join(folder, "reader.ts")];
  writeFileSync(schema, SCHEMA);
  writeFileSync(reader, `import { mcp, type McpConfig } from "./schema.js";\n${text}\n`);
  const program = ts.createProgram([reader], { module: ts.ModuleKind.NodeNext, strict: true, types: [] });
  const found = settingsRead({
    program,
    schema: { file: schema, type: "McpConfig" },
    counts: (file) => file === reader,
  });
  return [...found].filter((key) => key.split(".").length > 2);
}

test.for([
  ["a path", "export const a = mcp.tools.names;", ["mcp.tools.names"]],
  ["the same name in another table", "export const a = mcp.limits.names;", ["mcp.limits.names"]],
  ["a table under another name", "const { tools: limits } = mcp; export const a = limits.names;", ["mcp.tools.names"]],
  ["a member taken apart", "export const { names, allow: only } = mcp.tools;", ["mcp.tools.names", "mcp.tools.allow"]],
  ["an argument taken apart", "export const f = ({ names }: McpConfig['tools']) => names;", ["mcp.tools.names"]],
  ["a quoted member", "export const a = mcp.tools['allow'];", ["mcp.tools.allow"]],
  [
    "a computed member",
    "export const f = (key: 'names' | 'allow') => mcp.tools[key];",
    ["mcp.tools.names", "mcp.tools.allow"],
  ],
] as const)("sees %s", ([, text, expected]) => {
  expect(readIn(text)).toEqual(expected);
});

test.for([
  ["a name in a text", "export const a = 'mcp.tools.names';"],
  [
    "another object of the same shape",
    "declare const other: { tools: { names: string } }; export const a = other.tools.names;",
  ],
  ["a table that is only handed on", "export const a = mcp.tools;"],
  ["an answer with the same name", "export const a = { tools: { names: 1 } };"],
] as const)("does not take %s for a read", ([, text]) => {
  expect(readIn(text)).toEqual([]);
});
