import { ConfigError, type Origin } from "../error/config-error.js";
import type { Faults } from "../error/faults.js";
import { settlePath, type Base } from "./folders.js";
import { findKey, isTable, KEYS, type Key } from "../keys/keys.js";
import { nearestKey } from "../keys/nearest.js";
import { quote } from "../error/one-line.js";

/** What one source says: a value for each key it names, and where it says so. */
export type Layer = ReadonlyMap<string, Setting>;

export interface Setting {
  readonly value: unknown;
  readonly origin: Origin | undefined;
}

export type Locate = (path: readonly string[]) => Origin | undefined;

/** Turns a nested `[mcp]` table into a layer. Parts unknown to the schema become faults and are left out. */
export function layerOf(mcp: unknown, base: Base, locate: Locate, faults: Faults): Layer {
  const layer = new Map<string, Setting>();
  faults.collect(() => collect(mcp, ["mcp"], { layer, base, locate, faults }));
  return layer;
}

interface Collecting {
  readonly layer: Map<string, Setting>;
  readonly base: Base;
  readonly locate: Locate;
  readonly faults: Faults;
}

function collect(value: unknown, path: readonly string[], into: Collecting): void {
  const key = findKey(path);
  if (key) {
    const origin = into.locate(path);
    into.layer.set(key.name, { value: settled(key, value, into.base, origin), origin });
    return;
  }
  if (!isTable(path)) throw unknownKey(path, into.locate(path));
  if (!isRecord(value)) {
    throw new ConfigError(`must be a table, not ${quote(value)}`, { origin: into.locate(path), key: path.join(".") });
  }
  for (const name of Object.keys(value)) {
    if (value[name] !== undefined) into.faults.collect(() => collect(value[name], [...path, name], into));
  }
}

export function unknownKey(path: readonly string[], origin: Origin | undefined): ConfigError {
  const key = path.join(".");
  return new ConfigError(`there is no such key (nearest: ${nearestKey(path)})`, { origin, key });
}

/** Paths are settled here, where it is still known what they are relative to. */
export function settled(key: Key, value: unknown, base: Base, origin: Origin | undefined): unknown {
  if (!key.isPath) return value;
  const blame = { origin, key: key.name };
  const settle = (part: unknown) => (typeof part === "string" ? settlePath(part, base, blame) : part);
  return Array.isArray(value) ? value.map(settle) : settle(value);
}

/** Later layers win, key by key; a list replaces a list. */
export function merge(layers: readonly Layer[]): Layer {
  return new Map(layers.flatMap((layer) => [...layer]));
}

/** The nested table that the schema parses. Made of known names only, so no key can reach a prototype. */
export function nested(layer: Layer): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const key of KEYS) {
    const setting = layer.get(key.name);
    if (setting) place(root, key.path.slice(1), setting.value);
  }
  return root;
}

function place(into: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) into[name] = value;
  else place((into[name] ??= {}) as Record<string, unknown>, rest, value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
