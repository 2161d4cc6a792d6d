import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Tables } from "./plants.js";
import { ROOT } from "./workspace.js";

/** The tables of this workspace's .dependency-cruiser.mjs: layers, folders, capabilities. */
export const tables = (await import(pathToFileURL(join(ROOT, ".dependency-cruiser.mjs")).href)) as Tables;
