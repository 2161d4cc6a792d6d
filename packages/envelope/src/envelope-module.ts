import type { LimitedContext } from "@llmc/commands";
import type { Settings } from "@llmc/config";
import { toolModule, type CallContext } from "@llmc/toolkit";
import { Budgets } from "./budget/budgets.js";
import { openFilters } from "./filters/open-filters.js";
import { runPytest, runTests } from "./tools/run-tests.js";
import { teRun } from "./tools/te-run.js";
import { teShorten } from "./tools/te-shorten.js";

/** Services of the server that the tools of this module need. */
export type EnvelopeServices = Omit<LimitedContext, keyof CallContext> & {
  /** Tells the operator. */
  readonly report: (problem: string) => void;
};

const tools = [teRun, runTests, runPytest, teShorten] as const;

/** te_run and its kin as one module among others. */
export const envelopeModule = toolModule<typeof tools, Settings, EnvelopeServices>({
  name: "envelope",
  tools,
  open: ({ mcp, ...settings }, { files, commands, limits, managed, handles, report, hintOf }) => {
    const budgets = new Budgets(mcp.te.budgets);
    const filters = openFilters(settings.filters, report);
    const services = { files, commands, limits, managed, handles, hintOf, te: mcp.te, budgets, filters };
    return {
      contextOf: (call) => Object.assign(call, services),
      health: async () => ({ parts: {}, problems: [] }),
      endSession: async (owner) => budgets.endSession(owner),
      sweep: nothingToDo,
      close: nothingToDo,
    };
  },
});

/** Does nothing, because the module opens nothing. */
async function nothingToDo(): Promise<void> {}
