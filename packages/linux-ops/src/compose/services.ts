import { createAudit, type Audit, type Logger } from "@llmc/audit";
import { tokenAuditFile, type Settings } from "@llmc/config";
import {
  confirm,
  createAccess,
  createDispatcher,
  deadline,
  gate,
  limit,
  observe,
  parseArguments,
  sessionKey,
  type Access,
  type Dispatcher,
} from "@llmc/toolkit";
import { driverFolders, type DriverKind } from "@llmc/handles";
import { openFiles } from "@llmc/te-fs";
import { linuxTools } from "./catalogue.js";
import { CODE_FOLDER } from "../code-folder.js";
import { hintOf } from "../hints/remedies.js";
import { healthReport } from "./health-report.js";
import { HABITS } from "../hints/habits.js";
import { didYouMean } from "../hints/did-you-mean.js";
import { inWords } from "../hints/worded.js";
import { openManaged } from "./open-managed.js";
import { openProcessWorld } from "./open-process-world.js";
import { openReaders } from "../tools/fs/reading/open-readers.js";
import type { Readers } from "../context/readers.js";
import { openEngines, type EngineChoice } from "./open-engines.js";
import { lazily } from "../context/lazily.js";
import { openState } from "./state.js";
import { KeptAnswers } from "../context/kept-answers.js";

export interface ServicesOptions {
  readonly settings: Settings;
  readonly version: string;
  readonly log: Logger | null;
  /** Values that no log line and no audit row may show, such as the token. */
  readonly secrets?: readonly string[];
  /** For tests: what is installed is otherwise found by itself. */
  readonly readers?: Readers;
  readonly engines?: EngineChoice;
}

/** What an entry needs to serve: one dispatcher, and what stands behind it. */
export interface Services {
  readonly settings: Settings;
  readonly dispatcher: Dispatcher;
  readonly access: Access;
  readonly audit: Audit;
  /** To be printed at start. */
  readonly warnings: readonly string[];
  /** The roots that were opened, as the operator wrote them. */
  readonly roots: readonly string[];
  /** A session of MCP over HTTP was closed: what it started ends. */
  endSession(owner: string): Promise<void>;
  /** Threads that hang on a dead mount: while there are any, exit() would wait for them for ever. */
  stuck(): number;
  /** Opens the database, which otherwise waits for the first call that needs it. */
  ready(): Promise<{ readonly driver: DriverKind }>;
  close(): Promise<void>;
}

/** Calls of one token that may wait, for each that may run: a waiting call costs next to nothing, a refused one a turn. */
const WAITING_PER_RUNNING = 128;

const SWEEP_AFTER_MS = 2000;

export function openServices(options: ServicesOptions): Services {
  const { settings, version, log, secrets = [], readers = openReaders(), engines } = options;
  const { mcp } = settings;
  const problems: string[] = [];
  const report = (message: string) => {
    problems.push(message);
    log?.warn({}, message);
  };
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
    },
    onProblem: report,
    // Half of a call, so that the answer names the mount and not just the deadline.
    mountTimeoutMs: mcp.tools.read_timeout * 500,
  });
  const state = openState(settings, report);
  const search = openEngines({ files, onProblem: report, ...engines });
  // What a start loads it also reads, every byte: the rest is loaded at the first call that needs it.
  const commands = lazily(async () => (await import("./open-commands.js")).openCommandService(settings, files));
  const audit = createAudit({
    database: state.database,
    log,
    secrets,
    contentKeys: ["old_text", "new_text"],
    enabled: mcp.observability.enabled,
    metricsEnabled: mcp.observability.metrics_enabled,
    csv: tokenAudit(settings),
    retentionDays: mcp.observability.retention_days,
    onProblem: report,
  });
  const access = createAccess({
    toolsets: mcp.tools.toolsets,
    allow: mcp.tools.allow,
    deny: mcp.tools.deny,
    readOnly: mcp.tools.read_only,
    enabled: (setting) => valueAt({ mcp }, setting) === true,
    settings: { allow: "mcp.tools.allow", deny: "mcp.tools.deny", readOnly: "mcp.tools.read_only" },
  });
  const roots = files.roots.map((root) => root.path);
  const health = healthReport({
    version,
    state,
    roots,
    readers,
    search,
    commands,
    problems: () => [...problems, ...audit.problems()],
  });
  const processes = openProcessWorld(mcp);
  const managed = openManaged(mcp, processes);
  const system = lazily(async () => (await import("./open-machine.js")).openMachine(settings, processes));
  const keptAnswers = new KeptAnswers(mcp.linux_ops.system.sysinfo_cache_ms);
  const dispatcher = createDispatcher({
    tools: linuxTools,
    // The call's own object, extended: it is made for this one call.
    contextOf: (call) => {
      managed.called(sessionKey(call), call.entry === "stdio");
      return Object.assign(call, {
        mcp,
        files,
        lineIndex: state.lineIndex,
        handles: state.handles,
        readers,
        search,
        commands,
        processes,
        system,
        keptAnswers,
        managed,
        health,
        hintOf,
      });
    },
    middleware: [
      observe({ sinks: [audit.sink], onSinkError: (error) => log?.error({ error: String(error) }, "a sink failed") }),
      inWords(),
      gate(access),
      parseArguments(HABITS),
      confirm({ mode: mcp.tools.confirm, timeoutMs: mcp.tools.confirm_timeout_sec * 1000 }),
      limit({
        concurrency: mcp.limits.concurrency_per_token,
        queue: mcp.limits.concurrency_per_token * WAITING_PER_RUNNING,
        waitMs: mcp.tools.read_timeout * 1000,
      }),
      deadline({ readTimeoutMs: mcp.tools.read_timeout * 1000, ownWaitMs }),
      didYouMean(files),
    ],
    habits: HABITS,
  });

  // What killed servers have left is nobody's first concern: a call that has come by then goes first.
  const sweeping = setTimeout(() => {
    void files.sweep();
    void commands().then((opened) => opened.sweep());
  }, SWEEP_AFTER_MS).unref();

  return {
    settings,
    dispatcher,
    access,
    audit,
    roots,
    warnings: [...settings.warnings, ...files.warnings],
    endSession: async (owner) => {
      await managed.endOwner(owner);
      await (await commands.opened())?.endSession(owner);
    },
    stuck: () => files.abandoned,
    ready: async () => ({ driver: (await state.database()).kind }),
    close: async () => {
      clearTimeout(sweeping);
      await managed.close();
      await (await commands.opened())?.close();
      await (await search.opened())?.close();
      await audit.close();
      await state.close();
      files.close();
    },
  };
}

/** Milliseconds that a call asks to wait: a deadline adds them. */
function ownWaitMs({ timeout_ms, wait_ms }: Readonly<Record<string, unknown>>): number {
  const wait = timeout_ms ?? wait_ms;
  return typeof wait === "number" ? wait : 0;
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
