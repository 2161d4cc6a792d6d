import { join } from "node:path";
import type { Validated } from "../check/validate.js";
import { isInside } from "../layers/folders.js";
import type { Layer } from "../layers/layer.js";
import type { McpConfig } from "../schema/mcp.js";
import type { FilterFile } from "./filters.js";

export interface Settings {
  readonly mcp: McpConfig;
  /** The file that was read. */
  readonly file: string | null;
  /** Where our own state is kept; null for a library that keeps none. */
  readonly dataDir: string | null;
  readonly home: string;
  /** The effective roots: absolute, not yet opened; one that does not exist is the opener's to skip. */
  readonly roots: readonly string[];
  /** The operator's filters of outputs. */
  readonly filters: readonly FilterFile[];
  readonly warnings: readonly string[];
  /**
   * Source of each key that was written or moved: the file and line, the variable, the flag, or the key that moved it.
   */
  readonly origins: Readonly<Record<string, string>>;
  /** Sentences about defaults that were moved to agree with written values. */
  readonly moved: readonly string[];
  /** What no tool and no command may reach, whatever the roots say; some of it may not exist yet. */
  readonly privatePaths: readonly string[];
}

export const tokenFile = (dataDir: string): string => join(dataDir, "token");

/** Where the token audit is written; null where it is off or there is no place for it. */
export function tokenAuditFile({ mcp: { observability }, dataDir }: Pick<Settings, "mcp" | "dataDir">): string | null {
  if (observability.csv_path !== "") return observability.csv_path;
  return dataDir === null ? null : join(dataDir, "token_audit.csv");
}

export function effectiveRoots({ linux_ops: { roots }, tools }: McpConfig): readonly string[] {
  if (!roots.enforce_roots) return ["/"];
  return [...new Set(roots.allowed_roots ?? tools.allowed_roots)];
}

export function rootWarnings(mcp: McpConfig, roots: readonly string[]): string[] {
  if (!roots.includes("/")) return [];
  const why = mcp.linux_ops.roots.enforce_roots ? 'the root "/"' : "mcp.linux_ops.roots.enforce_roots = false";
  return [`${why} opens the whole machine to tools: every file that this user can reach`];
}

export function originsOf(layer: Layer, { moved }: Validated): Readonly<Record<string, string>> {
  const written = [...layer].flatMap(([key, { origin }]) => {
    if (origin === undefined) return [];
    return [[key, origin.line === undefined ? origin.label : `${origin.label}:${origin.line}`] as const];
  });
  return Object.fromEntries([...written, ...moved.map(({ key, because }) => [key, because] as const)]);
}

export function sentences({ moved }: Validated): readonly string[] {
  return moved.map(({ key, from, to, because }) => `${key} is ${to} instead of ${from}, because of ${because}`);
}

export interface OwnPlaces {
  readonly mcp: McpConfig;
  readonly dataDir: string | null;
  readonly elsewhere?: readonly string[];
}

/** A path inside another private one is left out: the outer one covers it. */
export function privatePaths({ mcp, dataDir, elsewhere = [] }: OwnPlaces): readonly string[] {
  const { observability, server, rag } = mcp;
  const named = [dataDir ?? "", ...elsewhere, observability.csv_path, server.tls_key, rag.index_path];
  const all = [...new Set(named.filter((path) => path !== ""))];
  return all.filter((path) => !all.some((other) => other !== path && isInside(other, path)));
}

/** Settings are shared by every call: nobody changes them in passing. */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
