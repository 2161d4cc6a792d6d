import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { answerInfo } from "./answer-info.js";
import { infoResult } from "./info-result.js";
import { renderInfo } from "./render-info.js";

export const sysInfo = defineTool({
  name: "SYS_INFO",
  description: "Facts of this machine: memory, disk, cpu, network, hardware or os.",
  toolset: "linuxagent",
  features: ["mcp.linux_ops.features.system_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ info_type: infoResult.shape.info_type }),
  output: infoResult,
  logs: { args: ["info_type"] },

  async handler({ info_type }, { signal, system, keptAnswers }) {
    return keptAnswers.of(info_type, () => system().then(({ info }) => answerInfo(info, info_type, signal)));
  },

  render: renderInfo,
});
