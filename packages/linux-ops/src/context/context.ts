import type { McpConfig } from "@llmc/config";
import type { System } from "@llmc/te-system";
import { toolFactory, type CallContext } from "@llmc/toolkit";
import type { KeptAnswers } from "./kept-answers.js";
import type { SharedServices } from "./shared-services.js";

/** Services and facts that a linux.* handler gets beside its arguments. */
export interface LinuxOpsContext extends CallContext, Omit<SharedServices, "database" | "report"> {
  readonly mcp: McpConfig;
  /** Opened at the first call that needs it. */
  readonly system: () => Promise<System>;
  readonly keptAnswers: KeptAnswers;
}

export const defineTool = toolFactory<LinuxOpsContext>();
