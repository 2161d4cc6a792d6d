import { EngineUnavailableError, UnitNotFoundError, type Advice, type OpsError } from "@llmc/errors";
import { ask, complaint, type ProgramPlace } from "../ask/program.js";
import { parseUnits, type Unit } from "./parse-units.js";
import { amountOf, parseProperties, textOf, type Properties } from "./properties.js";
import { unitName } from "./unit-name.js";
import { exitText, lastExitOf, whyOf } from "./why.js";

export interface Service extends Unit {
  /** It is started again and again. */
  readonly isFlapping: boolean;
  /** Times that systemd started it again by itself; null where this version does not tell. */
  readonly restarts: number | null;
  /** Why it failed, or did not start. */
  readonly why: string | null;
}

export interface UnitDetails {
  readonly name: string;
  readonly description: string;
  readonly state: string;
  readonly subState: string;
  /** Whether it starts with the machine. */
  readonly enabled: string | null;
  readonly since: string | null;
  readonly why: string | null;
  readonly lastExit: string | null;
  readonly restarts: number | null;
  readonly pid: number | null;
  readonly status: string | null;
  readonly memoryBytes: number | null;
  readonly memoryLimitBytes: number | null;
  readonly tasks: number | null;
  readonly tasksLimit: number | null;
  readonly cpuSeconds: number | null;
  readonly file: string | null;
}

export interface Services {
  /** The names of those that failed, by one program. */
  failed(): Promise<readonly string[]>;
  /** Failed first, then those that flap or change, then what runs, then the rest. */
  list(signal?: AbortSignal): Promise<readonly Service[]>;
  /** `name` may leave out ".service". */
  one(name: string, signal?: AbortSignal): Promise<UnitDetails>;
}

export interface ServicesSources {
  readonly place: ProgramPlace;
  readonly timeoutMs: number;
  readonly uptimeSeconds: () => number | null;
  readonly unavailable: () => Promise<OpsError>;
}

const MAX_BYTES = 8 * 1024 * 1024;
/** Below it a service that is up again has not proven anything yet. */
const STEADY_SECONDS = 600;
const LISTED = [
  "Id",
  "NRestarts",
  "Result",
  "ExecMainCode",
  "ExecMainStatus",
  "ActiveEnterTimestampMonotonic",
  "LoadState",
  "LoadError",
];
const SHOWN = [
  ...["Id", "Description", "LoadState", "LoadError", "ActiveState", "SubState", "Result", "ConditionResult"],
  ...["ExecMainCode", "ExecMainStatus", "NRestarts", "MainPID", "StatusText", "UnitFileState", "FragmentPath"],
  ...["MemoryCurrent", "MemoryMax", "TasksCurrent", "TasksMax", "CPUUsageNSec", "StateChangeTimestamp"],
];
const NOT_BOOTED = /not been booted with systemd|Failed to connect to (system )?bus|Host is down/i;

export function servicesOf({ place, timeoutMs, uptimeSeconds, unavailable }: ServicesSources): Services {
  return { list, one, failed };

  async function list(signal?: AbortSignal): Promise<readonly Service[]> {
    const [text, shown] = await Promise.all([
      systemctl(
        ["list-units", "--type=service", "--all", "--full", "--plain", "--no-legend", "--no-pager", "--output=json"],
        signal,
      ),
      // Versions before 235 do not count restarts: then there is no telling who flaps but by the state.
      systemctl(["show", "--no-pager", `--property=${LISTED.join(",")}`, "--", "*.service"], signal).catch(() => ""),
    ]);
    const told = new Map(parseProperties(shown).map((properties) => [textOf(properties, "Id") ?? "", properties]));
    const uptime = uptimeSeconds();
    const services = parseUnits(text).map((unit) => serviceOf(unit, told.get(unit.name) ?? new Map(), uptime));
    return services.toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
  }

  async function failed(): Promise<readonly string[]> {
    const args = ["list-units", "--state=failed", "--full", "--plain", "--no-legend", "--no-pager", "--output=json"];
    return parseUnits(await systemctl(args, undefined)).flatMap(({ name, active }) =>
      active === "failed" ? [name] : [],
    );
  }

  async function one(given: string, signal?: AbortSignal): Promise<UnitDetails> {
    const name = unitName(given);
    const text = await systemctl(["show", "--no-pager", `--property=${SHOWN.join(",")}`, "--", name], signal);
    const properties: Properties = parseProperties(text)[0] ?? new Map();
    if (textOf(properties, "LoadState") === "not-found" && textOf(properties, "ActiveState") !== "active")
      throw new UnitNotFoundError(name, await near(name, signal));
    return detailsOf(name, properties);
  }

  async function near(name: string, signal: AbortSignal | undefined): Promise<Advice> {
    const word = name.replace(/\.\w+$/, "").toLowerCase();
    const known = (await list(signal)).filter(({ load }) => load !== "not-found").map((unit) => unit.name);
    const like = known.filter(
      (each) => each.toLowerCase().includes(word) || word.includes(each.replace(/\.\w+$/, "").toLowerCase()),
    );
    return like.length === 0 ? { id: "list-services" } : `There is ${like.slice(0, 5).join(", ")}.`;
  }

  async function systemctl(args: readonly string[], signal: AbortSignal | undefined): Promise<string> {
    const result = await ask(["systemctl", ...args], place, { maxBytes: MAX_BYTES, timeoutMs, signal }).catch(
      async (thrown: unknown) => {
        throw thrown instanceof EngineUnavailableError ? await unavailable() : thrown;
      },
    );
    if (result.exitCode === 0) return result.stdout.toString();
    const said = complaint(result);
    if (NOT_BOOTED.test(said)) throw await unavailable();
    throw new EngineUnavailableError("systemctl", said, { id: "processes-instead" });
  }
}

function serviceOf(unit: Unit, properties: Properties, uptimeSeconds: number | null): Service {
  const restarts = amountOf(properties, "NRestarts");
  const isUnsteady = unit.active === "failed" || unit.active === "activating" || unit.load !== "loaded";
  return {
    ...unit,
    restarts,
    isFlapping:
      unit.sub.startsWith("auto-restart") || ((restarts ?? 0) > 0 && !isSteady(unit, properties, uptimeSeconds)),
    why: isUnsteady ? whyOf(properties) : null,
  };
}

function isSteady({ active }: Unit, properties: Properties, uptimeSeconds: number | null): boolean {
  if (active !== "active") return active !== "activating";
  const since = amountOf(properties, "ActiveEnterTimestampMonotonic");
  return since === null || uptimeSeconds === null || uptimeSeconds - since / 1e6 >= STEADY_SECONDS;
}

function rank({ active, sub, isFlapping }: Service): number {
  if (active === "failed") return 0;
  if (isFlapping) return 1;
  if (active !== "active" && active !== "inactive") return 2;
  return active === "inactive" ? 5 : sub === "running" ? 3 : 4;
}

function detailsOf(name: string, properties: Properties): UnitDetails {
  const text = (key: string): string | null => textOf(properties, key);
  const last = lastExitOf(properties);
  const pid = amountOf(properties, "MainPID");
  const cpu = amountOf(properties, "CPUUsageNSec");
  return {
    name: text("Id") ?? name,
    description: text("Description") ?? "",
    state: text("ActiveState") ?? "unknown",
    subState: text("SubState") ?? "unknown",
    enabled: text("UnitFileState"),
    since: text("StateChangeTimestamp"),
    why: whyOf(properties),
    lastExit: last === null ? null : exitText(last),
    restarts: amountOf(properties, "NRestarts"),
    pid: pid === 0 ? null : pid,
    status: text("StatusText"),
    memoryBytes: amountOf(properties, "MemoryCurrent"),
    memoryLimitBytes: amountOf(properties, "MemoryMax"),
    tasks: amountOf(properties, "TasksCurrent"),
    tasksLimit: amountOf(properties, "TasksMax"),
    cpuSeconds: cpu === null ? null : cpu / 1e9,
    file: text("FragmentPath"),
  };
}
