import { settingsOf } from "@llmc/config";
import { describeTool, type AnyTool } from "@llmc/toolkit";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { linuxTools } from "../src/index.js";

// contracts section 1, in o200k tokens as a model sees a tool: name, description, input schema.
const ALL = 2100;
const ONE = 130;
const MORE: Readonly<Record<string, number>> = { linux_fs_patch_block: 140, linux_search_content: 170 };

const toolsets: readonly string[] = settingsOf({}).mcp.tools.toolsets;
const listed = linuxTools.filter((tool: AnyTool) => toolsets.includes(tool.toolset));
const cost = listed.map((tool: AnyTool) => {
  const { name, description, inputSchema } = describeTool(tool, { names: "underscore", outputSchema: false });
  return [name, countTokens(JSON.stringify({ name, description, inputSchema }))] as const;
});

test("the default listing stays within its budget", () => {
  expect(cost.length).toBeGreaterThan(0);
  const sum = cost.reduce((all, [, tokens]) => all + tokens, 0);
  const each = cost.map(([name, tokens]) => `${name} ${tokens}`).join(", ");
  expect(
    sum,
    `shorten a tool, unlist an argument, or use a toolset that is off by default: ${each}`,
  ).toBeLessThanOrEqual(ALL);
});

test.for(cost)("%s costs no more than one tool may", ([name, tokens]) => {
  expect(tokens).toBeLessThanOrEqual(MORE[name] ?? ONE);
});
