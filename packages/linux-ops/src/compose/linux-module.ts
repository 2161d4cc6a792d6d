import type { Settings } from "@llmc/config";
import { findProgram } from "@llmc/te-run";
import type { ModuleHealth, OpenModule, ToolModule } from "@llmc/toolkit";
import type { LinuxOpsContext } from "../context/context.js";
import { KeptAnswers } from "../context/kept-answers.js";
import { lazily } from "../context/lazily.js";
import type { SharedServices } from "../context/shared-services.js";
import { linuxTools } from "./catalogue.js";

/** The linux.* tools as one module among others. */
export const linuxModule: ToolModule<typeof linuxTools, Settings, SharedServices> = {
  name: "linux-ops",
  tools: linuxTools,
  open: openLinux,
};

function openLinux(settings: Settings, shared: SharedServices): OpenModule<LinuxOpsContext> {
  const { mcp } = settings;
  const system = lazily(async () => (await import("./open-machine.js")).openMachine(settings, shared.processes));
  const keptAnswers = new KeptAnswers(mcp.linux_ops.system.sysinfo_cache_ms);
  const services = { ...shared, mcp, system, keptAnswers };
  return {
    // Extends the call's own object, because the dispatcher made that object for this call alone.
    contextOf: (call) => Object.assign(call, services),
    health: () => enginesOf(shared),
    endSession: nothingToDo,
    sweep: nothingToDo,
    close: nothingToDo,
  };
}

/** Does nothing, because the module opens nothing but memory. */
async function nothingToDo(): Promise<void> {}

async function enginesOf({ search, readers }: SharedServices): Promise<ModuleHealth> {
  const found = await (await search()).engines();
  const parts = {
    content: found.content,
    names: found.names,
    search_in: found.why === undefined ? found.held : `${found.held}: ${found.why}`,
    bwrap: await findProgram("bwrap"),
    pdf: (await readers.pdf())?.name ?? null,
    sharp: (await readers.scaler())?.version ?? null,
  };
  return { parts, problems: [] };
}
