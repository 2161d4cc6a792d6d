import type { LimitedContext } from "@llmc/commands";
import type { McpConfig } from "@llmc/config";
import type { Budgets } from "./budget/budgets.js";
import type { Filters } from "./filters/open-filters.js";
import { toolFactory } from "@llmc/toolkit";

/** Services and facts that a handler gets beside its arguments. */
export interface EnvelopeContext extends LimitedContext {
  readonly te: McpConfig["te"];
  readonly budgets: Budgets;
  readonly filters: Filters;
}

export const defineTool = toolFactory<EnvelopeContext>();
