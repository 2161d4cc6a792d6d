import type { LimitedContext } from "@llmc/commands";
import type { McpConfig } from "@llmc/config";
import { toolFactory } from "@llmc/toolkit";

/** Services and facts that a handler gets beside its arguments. */
export interface EnvelopeContext extends LimitedContext {
  readonly te: McpConfig["te"];
}

export const defineTool = toolFactory<EnvelopeContext>();
