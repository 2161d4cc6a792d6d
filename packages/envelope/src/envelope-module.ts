import type { LimitedContext } from "@llmc/commands";
import type { Settings } from "@llmc/config";
import { toolModule, type CallContext } from "@llmc/toolkit";
import { Budgets } from "./budget/budgets.js";
import type { HandleWords } from "./context.js";
import { openFilters } from "./filters/open-filters.js";
import type { Recogniser } from "./recognise/recogniser.js";
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
    const words = toolWords(hintOf);
    const own = { te: mcp.te, budgets, filters, words, recognisers };
    const services = { files, commands, limits, managed, handles, hintOf, ...own };
    return {
      contextOf: (call) => Object.assign(call, services),
      health: async () => ({ parts: {}, problems: [] }),
      endSession: async (owner) => budgets.endSession(owner),
      sweep: nothingToDo,
      close: nothingToDo,
    };
  },
});

/** Loads the kinds of output at the first command, because a start waits for every module. */
export async function recognisers(): Promise<readonly Recogniser[]> {
  return (await import("./recognise/recognisers.js")).RECOGNISERS;
}

/** Words for a client of the server: `hintOf` names the tool as the client lists it. */
function toolWords(hintOf: (text: string) => string): HandleWords {
  const reading = (handles: string): string => hintOf(`linux.handle_read ${handles}`);
  return {
    lines: (handle, lines) => `${reading(handle)} lines=${lines}`,
    match: (handles) => `${reading(handles.join(", "))} match`,
  };
}

/** Does nothing, because the module opens nothing. */
async function nothingToDo(): Promise<void> {}
