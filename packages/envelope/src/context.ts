import type { LimitedContext } from "@llmc/commands";
import type { McpConfig } from "@llmc/config";
import { toolFactory } from "@llmc/toolkit";
import type { Budgets } from "./budget/budgets.js";
import type { Filters } from "./filters/open-filters.js";
import type { Recogniser } from "./recognise/recogniser.js";

/** Words by which a caller names the way to the lines that a digest leaves out, for each handle that keeps it. */
export interface HandleWords {
  /** Reads these lines, such as "10-20". */
  readonly lines: (handle: string, lines: string) => string;
  /** Looks for lines in all of the handles. */
  readonly match: (handles: readonly string[]) => string;
}

/** Services and facts that a handler gets beside its arguments. */
export interface EnvelopeContext extends LimitedContext {
  readonly te: McpConfig["te"];
  readonly budgets: Budgets;
  readonly filters: Filters;
  readonly words: HandleWords;
  readonly recognisers: () => Promise<readonly Recogniser[]>;
}

export const defineTool = toolFactory<EnvelopeContext>();
