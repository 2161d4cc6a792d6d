import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathFolders } from "../env.js";
import { findProgram } from "../find-program.js";
import type { Program } from "../policy/command-policy.js";

/** Finds programs as a command will: by name on its PATH, by path from its folder, and only what it sees. */
export interface Sight {
  readonly path: readonly string[];
  readonly cwd: string;
  sees(real: string): boolean;
}

export async function findSeen(name: string, { path, cwd, sees }: Sight): Promise<Program | undefined> {
  if (name.includes("\0") || name === "") return undefined;
  const places = name.includes("/") ? [resolve(cwd, name)] : path.map((folder) => `${folder}/${name}`);
  for (const place of places) {
    const found = await findProgram(place);
    if (found === null) continue;
    const real = await realpath(found).catch(() => undefined);
    if (real !== undefined && sees(found) && sees(real)) return { path: found, real };
  }
  return undefined;
}

/** For a name that a command does not see: where it lies on this machine, and which keys open it. */
export async function whereElse(name: string, { path, cwd }: Sight, ownPath: string): Promise<string | undefined> {
  const found = name.includes("/")
    ? await findProgram(resolve(cwd, name))
    : await findProgram(name, [...path, ...pathFolders(ownPath)].join(":"));
  if (found === null) return undefined;
  const real = await realpath(found).catch(() => found);
  const folder = dirname(found);
  const opens = name.includes("/") ? "mcp.linux_ops.commands.sandbox_read" : "mcp.linux_ops.commands.path_extra";
  const more = dirname(real) === folder ? "" : ` and ${dirname(real)} to mcp.linux_ops.commands.sandbox_read`;
  return `${found} lies outside of the sandbox: the operator adds ${folder} to ${opens}${more}.`;
}
