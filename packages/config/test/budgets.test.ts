import { expect, test } from "vitest";
import { settingsOf } from "../src/index.js";
import { freshFolder } from "./fresh.js";

test("each budget is a table of its own name in the file, and one value elsewhere", async () => {
  const { load, loadText } = await freshFolder();
  const budgets = { night: { tokens: 5 }, "day-2": { tokens: 7 } };
  const text = "[mcp.te.budgets.night]\ntokens = 5\n[mcp.te.budgets.day-2]\ntokens = 7\n";

  expect((await loadText(text)).mcp.te.budgets).toEqual(budgets);
  expect((await load()).mcp.te.budgets).toEqual({});
  const env = { LLMC_MCP__TE__BUDGETS: "{ night = { tokens = 5 }, day-2 = { tokens = 7 } }" };
  expect((await load({ env })).mcp.te.budgets).toEqual(budgets);
  const set = ["mcp.te.budgets={ night = { tokens = 5 }, day-2 = { tokens = 7 } }"];
  expect((await load({ set })).mcp.te.budgets).toEqual(budgets);
});

test.each([
  ["[mcp.te.budgets.night]\ntokens = 0\n", /llmc\.toml:1: mcp\.te\.budgets: must be NAME = \{ tokens = .*\}, not 0/],
  ["[mcp.te.budgets.night]\ntoken = 5\n", /llmc\.toml:1: mcp\.te\.budgets: must be NAME = \{ tokens = .*\}, not/],
  ["[mcp.te]\nbudgets = 5\n", /llmc\.toml:2: mcp\.te\.budgets: must be NAME = \{ tokens = .*\}, not 5/],
])("a budget of another form is refused with its line: %j", async (text, refusal) => {
  const { loadText } = await freshFolder();
  await expect(loadText(text)).rejects.toThrow(refusal);
});

test("a budget that no session could spend is refused for the library too", () => {
  expect(() => settingsOf({ mcp: { te: { budgets: { night: { tokens: -1 } } } } })).toThrow(/tokens/);
});
