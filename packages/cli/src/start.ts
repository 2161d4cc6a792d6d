import { createLogger, type Logger } from "@llmc/audit";
import { changedSettings, redacted, type Settings } from "@llmc/config";
import { openServices, type ServedModule, type Services } from "@llmc/linux-ops";
import type { Program } from "./command.js";
import { exitOnCrash } from "./crash.js";
import { createEnding, type Ending } from "./ending.js";
import { oneLine } from "./one-line.js";
import { NoRootLeftError } from "./refusal.js";

export interface Server {
  readonly services: Services;
  /** null where nothing is to be logged. */
  readonly log: Logger | null;
  readonly ending: Ending;
  /** Facts of the start in one line. */
  readonly summary: string;
  /** Lines for the operator, printed once the server serves, because a refused start says nothing else. */
  readonly warnings: string;
  /** Looks for the sandbox of commands in the background, and tells the operator if the sandbox is missing. */
  probe(): void;
}

export interface ServerOptions {
  readonly settings: Settings;
  /** Modules whose tools the server serves. */
  readonly modules: readonly ServedModule[];
  readonly secrets?: readonly string[];
  /** Logs the whole configuration at level info, unless stderr is a terminal; otherwise at level debug. */
  readonly isService?: boolean;
}

const GRACE_MS = 5000;

/** Opens what every server of ours stands on, says what it was configured to be, and serves until it is told to end. */
export async function runServer(
  program: Program,
  { settings, modules, secrets = [], isService = false }: ServerOptions,
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
    if (settings.roots.length > 0 && services.roots.length === 0)
      throw new NoRootLeftError(
        services.skippedRoots.map(({ path, why }) => `${rootsOrigin(settings)}${path}: ${why}`),
      );
    log?.[isService && !process.stderr.isTTY ? "info" : "debug"]({ config: redacted(settings) }, "configuration");
    for (const moved of settings.moved) log?.debug({}, moved);
    const line = (text: string): string => `${program.name}: ${oneLine(text)}\n`;
    const tell = (problem: string | undefined): void => {
      if (problem === undefined) return;
      if (process.stderr.isTTY) process.stderr.write(line(problem));
      // The log never waits; a write to a pipe without a reader would stop the server.
      else log?.warn({}, problem);
    };
    await serve({
      ...{ services, log, ending },
      summary: line(summaryOf(program, services)),
      warnings: [...(services.roots.length === 0 ? [NO_ROOTS] : []), ...services.warnings].map(line).join(""),
      // Ignores a failed look for the sandbox, because the first command tells why it failed.
      probe: () => void services.probe().then(tell, () => undefined),
    });
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

const NO_ROOTS = "no roots, so every path is refused; --root DIR opens one";
const ROOT_KEYS = ["mcp.linux_ops.roots.allowed_roots", "mcp.tools.allowed_roots"];
/** Most settings named in the summary, and most characters of each. */
const SHOWN_SETTINGS = 8;
const SHOWN_CHARS = 80;

/** Returns version, file, data dir, roots, and the settings that are not at their defaults. */
function summaryOf({ name, version }: Program, { settings, roots }: Services): string {
  const changed = changedSettings(settings).filter((each) => !ROOT_KEYS.some((key) => each.startsWith(`${key} = `)));
  const more = changed.length - SHOWN_SETTINGS;
  return [
    version,
    `config ${settings.file ?? "none"}`,
    `data ${settings.dataDir ?? "none"}`,
    `roots ${roots.join(", ") || "none"}`,
    ...changed
      .slice(0, SHOWN_SETTINGS)
      .map((each) => (each.length > SHOWN_CHARS ? `${each.slice(0, SHOWN_CHARS)}…` : each)),
    ...(more > 0 ? [`${more} more (${name} config)`] : []),
  ].join(" · ");
}

/** Returns the source of the roots as a prefix for a root. */
function rootsOrigin({ origins }: Settings): string {
  const origin = ROOT_KEYS.map((key) => origins[key]).find((each) => each !== undefined);
  if (origin === undefined) return "";
  return origin === "--root" ? "--root " : `${origin}: `;
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
