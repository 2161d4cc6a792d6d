import type { LoggedFacts } from "../tool/tool.js";

/** Picks what a tool's definition names: `{ path, "meta.total_lines" }`, keyed by the last part of each path. */
export function factsOf(logs: LoggedFacts | undefined, args: object, result: object): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  for (const [source, paths] of [
    [args, logs?.args ?? []],
    [result, logs?.result ?? []],
  ] as const) {
    for (const path of paths) {
      const value = at(source, path);
      if (value !== undefined) facts[path.slice(path.lastIndexOf(".") + 1)] = value;
    }
  }
  return facts;
}

function at(source: object, path: string): unknown {
  let value: unknown = source;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
