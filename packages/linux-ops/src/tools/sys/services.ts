import { z } from "zod";
import { defineTool } from "../../context.js";
import { answerServices, answerUnit, renderServices, STATES } from "../../system/answer-services.js";
import { servicesResult } from "../../system/services-result.js";

export const sysServices = defineTool({
  name: "linux.sys_services",
  description: "Services of systemd, failed and flapping first; one in depth by name.",
  toolset: "sys",
  features: ["mcp.linux_ops.features.system_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    state: z.enum(STATES).nullable().optional(),
    name: z.string().min(1).max(256).nullable().optional(),
    max_results: z.int().min(1).max(1000).default(100),
  }),
  unlisted: ["max_results"],
  output: servicesResult,
  logs: { args: ["state", "name"], result: ["counts"] },

  async handler({ state, name, max_results }, { signal, system }) {
    const { services } = system();
    if (name === undefined || name === null) return answerServices(await services.list(signal), { state, max_results });
    return answerUnit(await services.one(name, signal), null, LOGS_OFF);
  },

  render: renderServices,
});

const LOGS_OFF = "no log lines: mcp.linux_ops.features.logs_enabled is off";
