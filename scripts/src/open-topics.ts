import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./workspace.js";

/** open-topics.json: what is still to be built. It only shrinks. */
export interface OpenTopics {
  /** Each topic with what it will bring. */
  readonly topics: Readonly<Record<string, string>>;
  /** Settings that have no effect yet, and the topic that will give them one. */
  readonly config_keys: Readonly<Record<string, string>>;
}

export function openTopics(root = ROOT): OpenTopics {
  return JSON.parse(readFileSync(join(root, "open-topics.json"), "utf8")) as OpenTopics;
}
