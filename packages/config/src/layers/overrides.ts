import { ConfigError, type Origin } from "../error/config-error.js";
import type { Faults } from "../error/faults.js";
import type { Base } from "./folders.js";
import { findKey, isTable, KEYS, type Key } from "../keys/keys.js";
import { settled, unknownKey, type Layer, type Setting } from "./layer.js";
import { nearestKey } from "../keys/nearest.js";
import { readWritten } from "./written.js";

export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = "LLMC_MCP__";
const ROOTS = "mcp.linux_ops.roots.allowed_roots";

/** `mcp.tools.names` is LLMC_MCP__TOOLS__NAMES. */
export const variableOf = (key: Key): string => `LLMC_${key.path.map((part) => part.toUpperCase()).join("__")}`;
const byVariable = new Map(KEYS.map((key) => [variableOf(key), key]));

/** `shell` is the base of what people type into a shell: LLMC_ROOT moves the base of config keys only. */
export function environmentLayer(env: Environment, base: Base, shell: Base, faults: Faults): Layer {
  const layer = new Map<string, Setting>();
  for (const variable of Object.keys(env).toSorted()) {
    const written = env[variable];
    if (written === undefined || !variable.startsWith(PREFIX)) continue;
    faults.collect(() => putVariable(layer, variable, written, base));
  }
  const roots = env["LLMC_ROOTS"]?.split(":").filter((root) => root !== "") ?? [];
  if (roots.length > 0) faults.collect(() => putNamed(layer, ROOTS, roots, shell, "LLMC_ROOTS"));
  return layer;
}

function putVariable(layer: Map<string, Setting>, variable: string, written: string, base: Base): void {
  const key = byVariable.get(variable);
  if (!key) throw unknownVariable(variable);
  put(layer, key, readWritten(key, written), base, { label: variable });
}

function unknownVariable(variable: string): ConfigError {
  const path = variable.slice("LLMC_".length).toLowerCase().split("__");
  const nearest = nearestKey(path);
  const key = KEYS.find(({ name }) => name === nearest);
  return new ConfigError(`there is no such key (nearest: ${key ? variableOf(key) : nearest})`, {
    origin: { label: variable },
    key: path.join("."),
  });
}

export interface CommandLine {
  readonly set?: readonly string[] | undefined;
  readonly roots?: readonly string[] | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly readOnly?: boolean | undefined;
}

/** A flag of its own is more particular than `--set`, so it comes after. */
export function commandLineLayer(
  { set = [], roots = [], host, port, readOnly }: CommandLine,
  base: Base,
  faults: Faults,
): Layer {
  const layer = new Map<string, Setting>();
  for (const written of set) faults.collect(() => putAssignment(layer, written, base));
  if (roots.length > 0) faults.collect(() => putNamed(layer, ROOTS, roots, base, "--root"));
  if (host !== undefined) putNamed(layer, "mcp.server.host", host, base, "--host");
  if (port !== undefined) putNamed(layer, "mcp.server.port", port, base, "--port");
  if (readOnly === true) putNamed(layer, "mcp.tools.read_only", true, base, "--read-only");
  return layer;
}

function putAssignment(layer: Map<string, Setting>, written: string, base: Base): void {
  const at = written.indexOf("=");
  const name = (at === -1 ? written : written.slice(0, at)).trim();
  const origin = { label: "--set" };
  const path = name.split(".");
  const key = findKey(path);
  if (!key) throw notOneKey(path, origin);
  if (at === -1) throw new ConfigError(`needs a value, as in --set ${name}=VALUE`, { origin, key: name });
  put(layer, key, readWritten(key, written.slice(at + 1).trim()), base, origin);
}

function notOneKey(path: readonly string[], origin: Origin): ConfigError {
  if (!isTable(path)) return unknownKey(path, origin);
  const first = KEYS.find((key) => path.every((part, at) => key.path[at] === part));
  return new ConfigError(`is a table; set one of its keys, such as ${first?.name}`, { origin, key: path.join(".") });
}

function putNamed(layer: Map<string, Setting>, name: string, value: unknown, base: Base, label: string): void {
  const key = findKey(name.split("."));
  if (key) put(layer, key, value, base, { label });
}

function put(layer: Map<string, Setting>, key: Key, value: unknown, base: Base, origin: Origin): void {
  layer.set(key.name, { value: settled(key, value, base, origin), origin });
}
