import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { header } from "../../answer/header.js";
import { spell } from "../../answer/line.js";

export const health = defineTool({
  name: "health",
  description: "Whether the server is well: version, database driver, engines, sandbox, uptime.",
  toolset: "compat",
  features: [],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: z.strictObject({
    ok: z.boolean(),
    version: z.string(),
    driver: z.string().describe("better-sqlite3, node:sqlite or memory."),
    engines: z.record(z.string(), z.string().nullable()).describe("Where each optional program was found."),
    sandbox: z.string(),
    uptime_sec: z.int(),
    roots: z.array(z.string()),
    problems: z.array(z.string()),
  }),
  logs: { result: ["ok", "driver"] },

  async handler(_args, context) {
    const { version, driver, engines, sandbox, uptimeSec, roots, problems } = await context.health();
    const ok = problems.length === 0;
    return { ok, version, driver, engines, sandbox, uptime_sec: uptimeSec, roots: [...roots], problems: [...problems] };
  },

  render: ({ ok, version, driver, engines, sandbox, uptime_sec, roots, problems }) =>
    [
      header(ok ? "ok" : "not ok", [`version ${version}`, `up ${uptime_sec} s`]),
      ...problems.map((problem) => `problem: ${problem}`),
      `roots: ${roots.map(spell).join(", ")}`,
      `sandbox: ${sandbox}`,
      `database: ${driver}`,
      ...Object.entries(engines).map(([name, place]) => `${name}: ${place ?? "missing"}`),
    ].join("\n"),
});
