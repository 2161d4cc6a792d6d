import { createAudit, type Audit, type Logger } from "@llmc/audit";
import { tokenAuditFile, TOOLSETS, type Settings } from "@llmc/config";
import type { DriverKind } from "@llmc/handles";
import type { Files } from "@llmc/te-fs";
import { createAccess, createDispatcher, type Access, type AnyTool, type Dispatcher } from "@llmc/toolkit";
import type { Readers } from "../context/readers.js";
import type { SharedServices } from "../context/shared-services.js";
import { ALIASES } from "../hints/aliases.js";
import { allInOrder } from "./all-in-order.js";
import { commandsOff, offersCommands } from "./commands-off.js";
import { healthReport } from "./health-report.js";
import { linuxModule } from "./linux-module.js";
import type { EngineChoice } from "./open-engines.js";
import { messageOf, openModules, toolsOf, type OpenModules, type ServedModule } from "./open-modules.js";
import { openShared, type OpenShared } from "./open-shared.js";
import { pipeline } from "./pipeline.js";

export interface ServicesOptions {
  readonly settings: Settings;
  readonly version: string;
  readonly log: Logger | null;
  /** Modules whose tools are served, in the order of listings; by default only linuxModule. */
  readonly modules?: readonly ServedModule[];
  /** Values that no log line and no audit row may show, such as the token. */
  readonly secrets?: readonly string[];
  /** For tests; by default the installed programs are found. */
  readonly readers?: Readers;
  readonly engines?: EngineChoice;
}

/** One dispatcher for all modules, and the services that an entry point needs besides. */
export interface Services {
  readonly settings: Settings;
  readonly dispatcher: Dispatcher;
  readonly access: Access;
  readonly audit: Audit;
  /** To be printed at start. */
  readonly warnings: readonly string[];
  /** Roots that could not be opened. */
  readonly skippedRoots: Files["skipped"];
  /** The roots that were opened, as the operator wrote them. */
  readonly roots: readonly string[];
  /** A session of MCP over HTTP was closed: what it started ends. */
  endSession(owner: string): Promise<void>;
  /** Threads that hang on a dead mount: while there are any, exit() would wait for them for ever. */
  stuck(): number;
  /** Looks for a sandbox ahead of the first command. Returns a sentence for the operator if the sandbox is missing. */
  probe(): Promise<string | undefined>;
  /** Opens the database, which otherwise waits for the first call that needs it. */
  ready(): Promise<{ readonly driver: DriverKind }>;
  close(): Promise<void>;
}

const SWEEP_AFTER_MS = 2000;

export function openServices(options: ServicesOptions): Services {
  const { settings, version, log, secrets = [], modules: served = [linuxModule] } = options;
  const tools = toolsOf(served);
  const problems: string[] = [];
  const report = (message: string) => {
    problems.push(message);
    log?.warn({}, message);
  };
  const shared = openShared(settings, report, options);
  const audit = openAudit(settings, shared, { log, secrets, version });
  audit.metrics.gauge("llmc_processes", () => shared.managed.count);
  const access = openAccess(settings, tools);
  const runs = offersCommands(tools, access);
  const health = healthReport({ version, shared, modules: () => modules, audit, offersCommands: runs, problems });
  const modules = openOrClose(served, settings, { shared, audit, health });
  const dispatcher = createDispatcher({
    tools,
    contextOf: modules.contextOf,
    middleware: pipeline(settings, { shared, audit, access, log }),
    aliases: ALIASES,
    isListed: (tool) => access.listed(tool),
  });

  // Sweeps after the first calls, because leftovers of crashed servers can wait.
  const sweeping = setTimeout(() => sweep(shared, modules), SWEEP_AFTER_MS).unref();

  return {
    settings,
    dispatcher,
    access,
    audit,
    roots: shared.files.roots.map((root) => root.path),
    warnings: [
      ...settings.warnings,
      ...shared.files.skipped.map(({ path, why }) => `The root ${path} is skipped: ${why}`),
    ],
    skippedRoots: shared.files.skipped,
    endSession: (owner) =>
      allInOrder([
        () => modules.endSession(owner),
        () => shared.managed.endOwner(owner),
        async () => (await shared.commands.opened())?.endSession(owner),
      ]),
    stuck: () => shared.files.abandoned,
    probe: async () => (runs ? commandsOff(await (await shared.commands()).sandbox()) : undefined),
    ready: async () => ({ driver: (await shared.state.database()).kind }),
    close: async () => {
      clearTimeout(sweeping);
      await allInOrder([() => modules.close(), ...closing(shared, audit)]);
    },
  };
}

/** Opens all modules, or closes everything if one cannot be opened. */
function openOrClose(
  served: readonly ServedModule[],
  settings: Settings,
  { shared, audit, health }: { shared: OpenShared; audit: Audit; health: SharedServices["health"] },
): OpenModules {
  const { state, ...services } = shared;
  const { lineIndex, database, handles } = state;
  try {
    return openModules(served, settings, { ...services, lineIndex, database, handles, health });
  } catch (thrown) {
    // The reason why the start failed counts more than a failure to close.
    allInOrder(closing(shared, audit)).catch(() => {});
    throw thrown;
  }
}

/** Closes users before the services they use: commands and searches read files and are recorded. */
function closing({ managed, commands, search, state, files }: OpenShared, audit: Audit): readonly (() => unknown)[] {
  return [
    () => managed.close(),
    async () => (await commands.opened())?.close(),
    async () => (await search.opened())?.close(),
    () => audit.close(),
    () => state.close(),
    () => files.close(),
  ];
}

function sweep({ files, commands, report }: OpenShared, modules: OpenModules): void {
  const sweeps = [() => files.sweep(), async () => await (await commands()).sweep(), () => modules.sweep()];
  for (const each of sweeps)
    each().catch((thrown: unknown) => report(`Leftovers of killed servers were not removed: ${messageOf(thrown)}`));
}

type AuditOptions = Pick<ServicesOptions, "log" | "secrets" | "version">;

function openAudit(settings: Settings, { state, report }: OpenShared, options: AuditOptions): Audit {
  const { observability } = settings.mcp;
  return createAudit({
    ...options,
    database: state.database,
    contentKeys: ["old_text", "new_text"],
    enabled: observability.enabled,
    metricsEnabled: observability.metrics_enabled,
    csv: tokenAudit(settings),
    retentionDays: observability.retention_days,
    onProblem: report,
  });
}

function openAccess({ mcp }: Settings, tools: readonly AnyTool[]): Access {
  const { toolsets, allow, deny, read_only: readOnly } = mcp.tools;
  return createAccess({
    toolsets: [...toolsets, ...unknownToolsets(tools)],
    allow,
    deny,
    readOnly,
    tools,
    enabled: (setting) => valueAt({ mcp }, setting) === true,
    settings: { allow: "mcp.tools.allow", deny: "mcp.tools.deny", readOnly: "mcp.tools.read_only" },
  });
}

/** Toolsets of other packages, which are listed because the setting cannot name them. */
function unknownToolsets(tools: readonly AnyTool[]): readonly string[] {
  const known: readonly string[] = TOOLSETS;
  return tools.map(({ toolset }) => toolset).filter((toolset) => !known.includes(toolset));
}

function tokenAudit(settings: Settings): { readonly path: string } | null {
  const path = settings.mcp.observability.csv_token_audit_enabled ? tokenAuditFile(settings) : null;
  return path === null ? null : { path };
}

function valueAt(source: object, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], source);
}
