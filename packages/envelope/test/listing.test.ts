import { settingsOf } from "@llmc/config";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { openStage } from "./stage.js";

test("with te_run in the place of run_cmd the listing stays within its budget (contracts 1)", () => {
  const { ops } = openStage({ config: settingsOf({ roots: [] }) });
  const cost = ops.tools.map(({ name, description, inputSchema }) =>
    countTokens(JSON.stringify({ name, description, inputSchema })),
  );
  expect(ops.tools.map(({ name }) => name)).toContain("te_run");
  expect(cost.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(2100);
});
