import { randomUUID } from "node:crypto";
import type { Logger } from "@llmc/audit";
import { settingsOf, type Settings } from "@llmc/config";
import { EngineUnavailableError, InvalidPathError } from "@llmc/errors";
import { describeTool, type AnyTool, type ListedTool, type Session } from "@llmc/toolkit";
import type { z } from "zod";
import type { LinuxTool, LinuxToolName } from "./catalogue.js";
import { linuxModule } from "./linux-module.js";
import type { ServedModule } from "./open-modules.js";
import { openServices, type Services } from "./services.js";
import { VERSION } from "../version.js";

type ToolNamed<Tool extends AnyTool, Name> = Extract<Tool, { name: Name }>;
export type ToolArgs<Tool extends AnyTool, Name extends Tool["name"]> = z.input<ToolNamed<Tool, Name>["input"]>;
export type ToolResult<Tool extends AnyTool, Name extends Tool["name"]> = z.output<ToolNamed<Tool, Name>["output"]>;
export type LinuxToolArgs<Name extends LinuxToolName> = ToolArgs<LinuxTool, Name>;
export type LinuxToolResult<Name extends LinuxToolName> = ToolResult<LinuxTool, Name>;

export interface LinuxOpsOptions<Modules extends readonly ServedModule[] = readonly ServedModule[]> {
  /** Modules whose tools `call` knows beside the linux.* tools. */
  readonly modules?: Modules;
  /** The result of `loadConfig()`. Without it no file and no environment variable is read. */
  readonly config?: Settings;
  /** Folders that the tools may touch, when there is no `config`. */
  readonly roots?: readonly string[];
  /** Where handles and the call records are kept, when there is no `config`; without it in memory. */
  readonly dataDir?: string;
  /** Silent unless given. */
  readonly log?: Logger;
}

export interface LinuxOpsCall {
  readonly signal?: AbortSignal;
  readonly progress?: (message: string) => void;
  readonly correlationId?: string;
  /** Names the session that owns what the call makes; each `createLinuxOps()` is one by default. */
  readonly session?: string;
  readonly agentId?: string;
  readonly model?: string;
  /** Names a budget of `mcp.te.budgets`. */
  readonly budgetProfile?: string;
}

/** Nobody reads a library's warnings: roots of which none can be opened are a mistake, told at once. */
function demandRoots(asked: readonly string[], services: Services): void {
  if (asked.length === 0 || services.roots.length > 0) return;
  void services.close();
  throw new InvalidPathError(asked.join(", "), "cannot be opened as a root", services.warnings.at(-1));
}

/** The linux.* tools and the tools of `modules`. */
export interface LinuxOps<Tool extends AnyTool = LinuxTool> {
  /** Name, description, JSON Schema and hints of each tool, ready for a model API. */
  readonly tools: readonly ListedTool[];
  /** Rejects with an OpsError. */
  call<Name extends Tool["name"]>(
    name: Name,
    args: ToolArgs<Tool, Name>,
    options?: LinuxOpsCall,
  ): Promise<ToolResult<Tool, Name>>;
  close(): Promise<void>;
}

export function createLinuxOps<const Modules extends readonly ServedModule[] = readonly []>(
  options: LinuxOpsOptions<Modules> = {},
): LinuxOps<LinuxTool | Modules[number]["tools"][number]> {
  const { log = null, modules = [] } = options;
  const settings = options.config ?? settingsOf({ roots: options.roots ?? [], dataDir: options.dataDir ?? null });
  const services = openServices({ settings, version: VERSION, log, modules: [linuxModule, ...modules] });
  demandRoots(settings.roots, services);
  let closed = false;
  const own = randomUUID();

  function sessionOf({ session = own, agentId, model, budgetProfile }: LinuxOpsCall): Session {
    const { default_agent_id, default_model } = settings.mcp.session;
    return {
      id: session,
      agentId: agentId ?? default_agent_id,
      model: model ?? default_model,
      budgetProfile,
      token: "library",
      owner: `library/${session}`,
    };
  }

  return {
    tools: services.dispatcher.tools
      .filter((tool) => services.access.listed(tool))
      .map((tool) =>
        describeTool(tool, {
          names: settings.mcp.tools.names === "dotted" ? "dotted" : "underscore",
          outputSchema: true,
        }),
      ),
    call: async (name, args, call = {}) => {
      if (closed) throw new EngineUnavailableError("This LinuxOps", "it was closed", "Create another one.");
      const { signal, progress, correlationId } = call;
      const result = await services.dispatcher.call(name, args, {
        session: sessionOf(call),
        entry: "library",
        signal,
        progress,
        correlationId,
      });
      return result.payload as never;
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await services.close();
    },
  };
}
