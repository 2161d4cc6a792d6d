import { createLogger, type Logger } from "@llmc/audit";
import { redacted, type Settings } from "@llmc/config";
import { openServices, type ServedModule, type Services } from "@llmc/linux-ops";
import type { Program } from "./command.js";
import { exitOnCrash } from "./crash.js";
import { createEnding, type Ending } from "./ending.js";
import { StartError } from "./refusal.js";

export interface Server {
  readonly services: Services;
  /** null where nothing is to be logged. */
  readonly log: Logger | null;
  readonly ending: Ending;
  /** What the operator should know, as lines: for when it is served. A start that is refused ends with one line alone. */
  readonly warnings: string;
}

export interface ServerOptions {
  readonly settings: Settings;
  /** Modules whose tools the server serves. */
  readonly modules: readonly ServedModule[];
  readonly secrets?: readonly string[];
}

const GRACE_MS = 5000;

/** Opens what every server of ours stands on, says what it was configured to be, and serves until it is told to end. */
export async function runServer(
  program: Program,
  { settings, modules, secrets = [] }: ServerOptions,
  serve: (server: Server) => Promise<void>,
): Promise<void> {
  const log = loggerFor(settings.mcp.observability, secrets);
  const services = openServices({ settings, version: program.version, log, modules, secrets });
  const ending = createEnding({ graceMs: GRACE_MS, onLate: (message) => log?.error({}, message) });
  exitOnCrash({
    report: (message, thrown) => {
      if (log) log.error({ error: thrown instanceof Error ? thrown.stack : thrown }, message);
      else process.stderr.write(`${program.name}: ${message}\n`);
    },
    flush: () => {
      services.audit.flushSync();
      log?.flush();
    },
  });
  try {
    if (settings.roots.length > 0 && services.roots.length === 0) throw new NoRootLeftError(settings.roots);
    // A person at a terminal would see nothing else for a page; `config print` shows it to him.
    if (!process.stderr.isTTY) log?.info({ config: redacted(settings) }, "configuration");
    const warnings = services.warnings.map((warning) => `${program.name}: ${warning}\n`).join("");
    await serve({ services, log, ending, warnings });
    // Whatever else keeps the process alive may do so for the time of grace, and no longer.
    ending.stop("the end of its input");
  } finally {
    await services.close();
    log?.flush();
    // Node's exit joins its threads, and one that hangs in a dead mount never comes back.
    // oxlint-disable-next-line no-restricted-properties
    if (services.stuck() > 0) process.kill(process.pid, "SIGKILL");
  }
  process.exit(0);
}

/** To go on would serve nothing, and look as if it served something. */
class NoRootLeftError extends StartError {
  constructor(roots: readonly string[]) {
    super(
      `no root is left: ${roots.join(", ")} ${roots.length === 1 ? "is no folder" : "are no folders"} that can be opened`,
    );
  }
}

/** The configuration's levels are pino's; ours are the four that are used. */
function loggerFor(
  { log_format, log_level, include_correlation_id }: Settings["mcp"]["observability"],
  secrets: readonly string[],
): Logger | null {
  if (log_level === "silent") return null;
  const level = log_level === "trace" ? "debug" : log_level === "fatal" ? "error" : log_level;
  return createLogger({ format: log_format, level, includeCorrelationId: include_correlation_id, secrets });
}
