import type { z } from "zod";
import { ConfigError } from "../error/config-error.js";
import type { Faults } from "../error/faults.js";
import { keepBounds, type Moved } from "./bounds.js";
import { impossible, type Fault } from "./impossible.js";
import { findKey, type Key } from "../keys/keys.js";
import { nested, type Layer } from "../layers/layer.js";
import { nearestValue } from "../keys/nearest.js";
import { quote } from "../error/one-line.js";
import { mcpSchema, type McpConfig } from "../schema/mcp.js";

/** Settings to serve, and the defaults that were moved to agree with written values. */
export interface Validated {
  readonly mcp: McpConfig;
  readonly moved: readonly Moved[];
}

/** Throws if a value is wrong; settings that cannot be served together become faults. */
export function validate(layer: Layer, faults: Faults): Validated {
  // Settings are parsed once: compiling a parser for them first costs 10 ms of each start, running without one 2 ms.
  const parsed = mcpSchema.safeParse(nested(layer), { jitless: true });
  if (!parsed.success) {
    for (const issue of parsed.error.issues) faults.add(wrongValue(issue, layer));
    faults.demandNone();
    throw parsed.error;
  }
  const mcp = parsed.data;
  const { moved, broken } = keepBounds(mcp, (name) => layer.has(name));
  for (const fault of [...impossible(mcp), ...broken]) faults.add(refuse(fault, layer));
  // One switch opens both, so that no reader of the second has to know the first.
  if (mcp.linux_ops.process_limits.allow_kill_other_users) mcp.linux_ops.process_limits.list_other_users = true;
  return { mcp, moved };
}

export function refuse({ keys, problem }: Fault, layer: Layer): ConfigError {
  const key = keys.find((name) => layer.has(name)) ?? keys[0];
  return new ConfigError(problem, { origin: key ? layer.get(key)?.origin : undefined, ...(key && { key }) });
}

function wrongValue(issue: z.core.$ZodIssue, layer: Layer): ConfigError {
  const path = ["mcp", ...issue.path.map(String)];
  const key = path.map((_, at) => findKey(path.slice(0, path.length - at))).find((each) => each !== undefined);
  if (!key) return new ConfigError(issue.message, { key: path.join(".") });
  const setting = layer.get(key.name);
  const value = path.slice(key.path.length).reduce(memberOf, setting?.value);
  return new ConfigError(describe(key, value, issue), { origin: setting?.origin, key: key.name });
}

/** A value that has no such member is itself wrong. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : value;
}

function describe(key: Key, value: unknown, issue: z.core.$ZodIssue): string {
  const given = key.secret ? "what is written" : quote(value);
  const expected = issue.code === "invalid_format" || issue.code === "custom" ? issue.message : key.type;
  const near = typeof value === "string" && key.choices ? nearestValue(value, key.choices) : undefined;
  return `must be ${expected}, not ${given}${near === undefined ? "" : ` (nearest: ${near})`}`;
}
