import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Remedy } from "@llmc/errors";
import { pathFolders } from "@llmc/te-run";
import type { MissingProgram } from "./request.js";
import type { Program } from "../policy/command-policy.js";

/** Finds programs as a command will: by name on its PATH, by path from its folder, and only what it sees. */
export interface Sight {
  readonly path: readonly string[];
  readonly cwd: string;
  sees(real: string): boolean;
}

/** A dozen looks of a microsecond each: a trip through the thread pool costs more than all of them. */
export function findSeen(name: string, { path, cwd, sees }: Sight): Program | undefined {
  for (const place of placesOf(name, path, cwd)) {
    const real = realProgram(place);
    if (real !== undefined && sees(place) && sees(real)) return { path: place, real };
  }
  return undefined;
}

/** Why a path that a command sees is no program, as a shell says it. */
export function problemWith(name: string, { cwd, sees }: Sight): MissingProgram["problem"] {
  if (!name.includes("/") || name.includes("\0")) return undefined;
  const place = resolve(cwd, name);
  const found = sees(place) ? statSync(place, { throwIfNoEntry: false }) : undefined;
  if (found === undefined || !sees(realpathSync(place))) return undefined;
  return found.isDirectory() ? "Is a directory" : "Permission denied";
}

/** Finds a program that the command does not see, with the folders that the operator would have to open. */
export function whereElse(name: string, { path, cwd }: Sight, ownPath: string): Remedy | undefined {
  for (const place of placesOf(name, [...path, ...pathFolders(ownPath)], cwd)) {
    const real = realProgram(place);
    if (real === undefined) continue;
    const folder = dirname(place);
    const and = dirname(real) === folder ? {} : { and: dirname(real) };
    return { id: "open-to-sandbox", place, folder, isByName: !name.includes("/"), ...and };
  }
  return undefined;
}

function placesOf(name: string, path: readonly string[], cwd: string): string[] {
  if (name === "" || name.includes("\0")) return [];
  return name.includes("/") ? [resolve(cwd, name)] : path.map((folder) => `${folder}/${name}`);
}

/** Without links; undefined for what is no file that we may execute. */
function realProgram(path: string): string | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    accessSync(path, constants.X_OK);
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
