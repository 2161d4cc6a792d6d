import type { CommandLimits } from "@llmc/commands";
import type { Settings } from "@llmc/config";
import { driverFolders } from "@llmc/handles";
import { openFiles } from "@llmc/te-fs";
import type { Search } from "@llmc/te-search";
import type { Commands } from "@llmc/te-shell";
import { DEFAULT_BUDGET } from "../answer/budget.js";
import { CODE_FOLDER } from "../code-folder.js";
import { lazily, type Lazy } from "../context/lazily.js";
import type { Readers } from "../context/readers.js";
import type { SharedServices } from "../context/shared-services.js";
import { hintOf } from "../hints/remedies.js";
import { openReaders } from "../tools/fs/reading/open-readers.js";
import { openEngines, type EngineChoice } from "./open-engines.js";
import { openManaged } from "./open-managed.js";
import { openProcessWorld } from "./open-process-world.js";
import { openState, type State } from "./state.js";

/** Programs for tests; by default the installed ones are found. */
export interface Installed {
  readonly readers?: Readers | undefined;
  readonly engines?: EngineChoice | undefined;
}

export interface OpenShared extends Omit<SharedServices, "health" | "database" | "handles" | "lineIndex"> {
  readonly state: State;
  readonly search: Lazy<Search>;
  readonly commands: Lazy<Commands>;
}

/** Opens the shared services. Imports here slow the start, so other code is loaded at the first call that needs it. */
export function openShared(
  settings: Settings,
  report: (problem: string) => void,
  { readers = openReaders(), engines }: Installed,
): OpenShared {
  const { mcp } = settings;
  const files = openFiles({
    roots: settings.roots,
    home: settings.home,
    privatePaths: settings.privatePaths,
    deny: mcp.linux_ops.roots.deny,
    allowExecConfig: mcp.linux_ops.roots.allow_exec_config,
    staleGuard: mcp.linux_ops.fs.stale_guard,
    program: [CODE_FOLDER, ...driverFolders()],
    stateDir: settings.dataDir,
    undo: {
      enabled: mcp.linux_ops.undo.enabled,
      maxBytes: mcp.linux_ops.undo.max_bytes,
      maxAgeHours: mcp.linux_ops.undo.max_age_hours,
      names: { enabled: "undo.enabled", maxBytes: "undo.max_bytes" },
    },
    onProblem: report,
    onBegun: (id) =>
      report(`A server was killed in the middle of a change of files: linux.fs_undo takes back what it did, by ${id}`),
    // Half of a call, so that the answer names the mount and not just the deadline.
    mountTimeoutMs: mcp.tools.read_timeout * 500,
  });
  const processes = openProcessWorld(mcp);
  return {
    files,
    state: openState(settings, report),
    readers,
    search: openEngines({ files, onProblem: report, ...engines }),
    processes,
    commands: lazily(async () => (await import("./open-commands.js")).openCommandService(settings, files)),
    limits: commandLimits(mcp),
    managed: openManaged(mcp, processes),
    report,
    hintOf: (advice) => asListed(hintOf(advice), mcp.tools.names),
  };
}

function commandLimits({ tools, handles, linux_ops }: Settings["mcp"]): CommandLimits {
  const { process_limits, features } = linux_ops;
  return {
    usual: tools.exec_timeout,
    handOver: features.repl_enabled ? process_limits.auto_background_after : undefined,
    max: process_limits.max_timeout_sec,
    keptBytes: handles.max_payload_bytes,
    budget: DEFAULT_BUDGET,
  };
}

/** Writes tools in notes as MCP clients list them; a hint of an error gets its names at the endpoint. */
function asListed(hint: string, names: string): string {
  return names === "dotted" ? hint : hint.replaceAll(/\blinux\.(?=[a-z])/g, "linux_");
}
