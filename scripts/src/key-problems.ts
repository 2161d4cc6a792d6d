import type { OpenTopics } from "./open-topics.js";

export interface KeySources {
  readonly keys: readonly string[];
  /** Those that have an effect, however they come by it. */
  readonly effective: ReadonlySet<string>;
  readonly open: OpenTopics;
}

export function keyProblems({ keys, effective, open: { topics, config_keys } }: KeySources): string[] {
  const exist = new Set(keys);
  return [
    ...keys
      .filter((key) => !effective.has(key) && config_keys[key] === undefined)
      .map((key) => `${key}: no source outside packages/config reads it, and open-topics.json does not list it.`),
    ...Object.entries(config_keys).flatMap(([key, topic]) => {
      if (!exist.has(key)) return [`${key}: open-topics.json lists it, but there is no such setting.`];
      if (effective.has(key)) return [`${key}: has an effect now; take it out of open-topics.json.`];
      return topics[topic] === undefined ? [`${key}: its topic ${topic} is not in open-topics.json.`] : [];
    }),
  ];
}
