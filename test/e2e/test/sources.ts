import { cpSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface Definition {
  readonly symbol: string;
  /** As it stands in the source. */
  readonly line: string;
}

const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "dist", ".reports", ".turbo"]);
const EXPORT = /^export (?:abstract |async )?(?:function\*?|class|interface|const|type) (\w+)/gm;
const WANTED = 30;

/** Copies sources into a folder, and names symbols that are defined once in those that count. */
export function copyOfSources(from: string, root: string, isSource: RegExp): Definition[] {
  cpSync(from, root, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  const lines = new Map<string, string[]>();
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!isSource.test(path)) continue;
    const text = readFileSync(join(root, path), "utf8");
    for (const match of text.matchAll(EXPORT)) {
      const line = text.slice(match.index, text.indexOf("\n", match.index));
      lines.set(match[1] as string, [...(lines.get(match[1] as string) ?? []), line]);
    }
  }
  const once = [...lines].flatMap(([symbol, [line, ...more]]) =>
    line !== undefined && more.length === 0 ? [{ symbol, line }] : [],
  );
  const sorted = once.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
  return Array.from({ length: WANTED }, (_, nth) => sorted[Math.floor((nth * sorted.length) / WANTED)] as Definition);
}
