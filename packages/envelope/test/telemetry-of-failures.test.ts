import { settingsOf } from "@llmc/config";
import { expect, test, vi } from "vitest";
import { freshFolder, openStage } from "./stage.js";
import { telemetryRows } from "./telemetry-rows.js";

vi.mock("../src/recognise/recognisers.js", () => ({
  RECOGNISERS: [
    {
      name: "broken",
      programs: /./,
      grammar: () => {
        throw new RangeError("a bug of the grammar");
      },
    },
  ],
}));

test("a recogniser that throws costs a row of mode error, and neither the call nor its output", async () => {
  const [root, dataDir] = [freshFolder(), freshFolder()];
  const { ops, prints } = openStage({ root, config: settingsOf({ roots: [root], dataDir }) });
  const lines = Array.from({ length: 200 }, (_, at) => `line ${at} of the output`).join("\n");
  const result = await ops.call("te_run", { command: prints(`${lines}\n`, { code: 3 }) });
  await ops.close();

  expect(result).toMatchObject({ exit_code: 3, mode: "passthrough", stdout: `${lines}\n` });
  expect(await telemetryRows(dataDir)).toMatchObject([{ mode: "error", family: "broken", truncated: 0, missed: null }]);
});
