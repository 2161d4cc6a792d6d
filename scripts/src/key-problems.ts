import type { OpenTopics } from "./open-topics.js";
import { lastPair } from "./property-paths.js";

/** Settings that are read through a function of the config package; whoever imports it reads them. */
const READ_THROUGH: Readonly<Record<string, string>> = { "mcp.observability.csv_path": "tokenAuditFile" };

export interface KeySources {
  readonly keys: readonly string[];
  /** Those whose whole effect lies in the loader. */
  readonly own: ReadonlySet<string>;
  /** What the sources read, as `pathsRead` gives it. */
  readonly read: ReadonlySet<string>;
  readonly open: OpenTopics;
}

export function keyProblems({ keys, own, read, open: { topics, config_keys } }: KeySources): string[] {
  const hasEffect = (key: string) =>
    own.has(key) || read.has(key) || read.has(lastPair(key)) || read.has(READ_THROUGH[key] ?? "");
  const exist = new Set(keys);
  return [
    ...keys
      .filter((key) => !hasEffect(key) && config_keys[key] === undefined)
      .map((key) => `${key}: no source outside packages/config reads it, and open-topics.json does not list it.`),
    ...Object.entries(config_keys).flatMap(([key, topic]) => {
      if (!exist.has(key)) return [`${key}: open-topics.json lists it, but there is no such setting.`];
      if (hasEffect(key)) return [`${key}: has an effect now; take it out of open-topics.json.`];
      return topics[topic] === undefined ? [`${key}: its topic ${topic} is not in open-topics.json.`] : [];
    }),
  ];
}
