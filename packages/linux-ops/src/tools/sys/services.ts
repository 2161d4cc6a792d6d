import { OpsError } from "@llmc/errors";
import { templateOf } from "@llmc/te-system";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { answerServices, answerUnit, renderServices, STATES } from "./answer-services.js";
import { lastDistinct } from "./answer-logs.js";
import { readLogs } from "./read-logs.js";
import { servicesResult } from "./services-result.js";

/** States that the schema lists; the handler accepts further states. */
const LISTED_STATES = ["active", "failed", "flapping", "all"];

export const sysServices = defineTool({
  name: "linux.sys_services",
  description: "Services of systemd, failed and flapping first; one in depth by name.",
  toolset: "sys",
  features: ["mcp.linux_ops.features.system_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    state: z.enum(STATES).meta({ enum: LISTED_STATES }).nullable().optional(),
    name: z.string().min(1).max(256).nullable().optional(),
    max_results: z.int().min(1).max(1000).default(100),
  }),
  unlisted: ["max_results"],
  output: servicesResult,
  logs: { args: ["state", "name"], result: ["counts"] },

  async handler({ state, name, max_results }, context) {
    const { signal } = context;
    const { services } = await context.system();
    if (name === undefined || name === null) return answerServices(await services.list(signal), { state, max_results });
    const details = await services.one(name, signal);
    const { log, note } = await lastLines(details.name, context);
    return answerUnit(details, log, note);
  },

  render: renderServices,
});

const LOGS_OFF = "no log lines: mcp.linux_ops.features.logs_enabled is off";
const READ_LINES = 200;
const SHOWN_LINES = 10;

/** The unit is what was asked for: where its log cannot be read, it is told without. */
async function lastLines(unit: string, context: LinuxOpsContext): Promise<{ log: string[] | null; note?: string }> {
  if (!context.mcp.linux_ops.features.logs_enabled) return { log: null, note: LOGS_OFF };
  try {
    const { entries } = await readLogs({ unit, lines: READ_LINES }, context);
    return { log: lastDistinct(entries, templateOf, SHOWN_LINES) };
  } catch (thrown) {
    if (!OpsError.is(thrown) || thrown.code === "CANCELLED") throw thrown;
    return { log: null, note: `no log lines: ${thrown.message}` };
  }
}
