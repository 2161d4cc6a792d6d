import { stringify } from "smol-toml";
import { KEYS, TABLES, valueOf, type Key } from "../keys/keys.js";
import { oneLine } from "../error/one-line.js";
import type { Settings } from "../load/settings.js";

const HIDDEN = "***";

/** The effective settings for a log line: nested as in the file, without secrets. */
export function redacted({ mcp, file, dataDir, roots }: Settings): Record<string, unknown> {
  const shown = structuredClone(mcp) as unknown as Record<string, unknown>;
  for (const key of KEYS) if (key.secret && valueOf(mcp, key) !== "") hide(shown, key.path.slice(1));
  return { file, data_dir: dataDir, roots: [...roots], mcp: shown };
}

function hide(table: Record<string, unknown>, [name = "", ...rest]: readonly string[]): void {
  if (rest.length === 0) table[name] = HIDDEN;
  else hide(table[name] as Record<string, unknown>, rest);
}

/**
 * Prints the effective settings as a file. Loading the file gives the same settings, except for secrets, which are only
 * mentioned. The line above a value names its source; a value without that line is the default.
 */
export function printToml({ mcp, file, dataDir, origins }: Settings): string {
  const head = [`# file: ${file ?? "none"}`, `# data dir: ${dataDir ?? "none"}`].map(oneLine);
  const tables = TABLES.map(({ path, name }) => {
    const lines = KEYS.filter((key) => isIn(path, key)).flatMap((key) => {
      const printed = printKey(key, valueOf(mcp, key));
      const origin = printed.length === 0 ? undefined : origins[key.name];
      return origin === undefined ? printed : [oneLine(`# from ${origin}`), ...printed];
    });
    return lines.length === 0 ? "" : [`[${name}]`, ...lines, ""].join("\n");
  });
  return [...head, "", ...tables.filter((table) => table !== "")].join("\n");
}

function printKey(key: Key, value: unknown): string[] {
  const name = key.path.at(-1);
  if (value === undefined) return [];
  if (key.secret && value !== "") return [`# ${name} is set, and not shown`];
  return [`${name} = ${tomlOf(value)}`];
}

export const isIn = (table: readonly string[], key: Key): boolean =>
  key.path.length === table.length + 1 && table.every((part, at) => key.path[at] === part);

export function tomlOf(value: unknown): string {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const pairs = Object.entries(value).map(([name, each]) => `${name} = ${tomlOf(each)}`);
    return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
  }
  return stringify({ value }).slice("value = ".length).trimEnd();
}

/** Lists keys that are not at their defaults, as assignments in the order of the schema; hides secrets. */
export function changedSettings({ mcp }: Pick<Settings, "mcp">): readonly string[] {
  const changed = KEYS.filter((key) => tomlOrNone(valueOf(mcp, key)) !== tomlOrNone(key.initial));
  return changed.map((key) => oneLine(`${key.name} = ${key.secret ? HIDDEN : tomlOf(valueOf(mcp, key))}`));
}

function tomlOrNone(value: unknown): string {
  return value === undefined ? "" : tomlOf(value);
}
