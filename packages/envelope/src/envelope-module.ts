import type { LimitedContext } from "@llmc/commands";
import type { Settings } from "@llmc/config";
import { toolModule, type CallContext } from "@llmc/toolkit";
import { Budgets } from "./budget/budgets.js";
import { runPytest, runTests } from "./tools/run-tests.js";
import { teRun } from "./tools/te-run.js";
import { teShorten } from "./tools/te-shorten.js";

/** Services of the server that the tools of this module need. */
export type EnvelopeServices = Omit<LimitedContext, keyof CallContext>;

const tools = [teRun, runTests, runPytest, teShorten] as const;

/** te_run and its kin as one module among others. */
export const envelopeModule = toolModule<typeof tools, Settings, EnvelopeServices>({
  name: "envelope",
  tools,
  open: ({ mcp }, { files, commands, limits, managed, handles, hintOf }) => {
    const budgets = new Budgets(mcp.te.budgets);
    const services = { files, commands, limits, managed, handles, hintOf, te: mcp.te, budgets };
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
