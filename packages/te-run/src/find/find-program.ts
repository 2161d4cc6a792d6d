import { accessSync, constants, statSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { buildEnv, pathFolders } from "./env.js";

/**
 * The absolute path of an executable regular file: an absolute name itself, a bare name in the folders of `path`
 * (default: the system folders of the built PATH). A relative name with a slash is never found: it would mean the
 * working folder, and whoever can write there would choose the program.
 */
export async function findProgram(name: string, path?: string): Promise<string | null> {
  if (name === "" || name.includes("\0")) return null;
  // It is about to be spawned, which blocks until the file was found as well: a trip to the thread pool costs more.
  if (isAbsolute(name)) return isExecutableNow(name) ? name : null;
  if (name.includes("/")) return null;
  for (const folder of pathFolders(path ?? buildEnv({}).PATH ?? "")) {
    const candidate = folder.endsWith("/") ? folder + name : `${folder}/${name}`;
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

function isExecutableNow(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    // Folders pass the X_OK check too: there it means "may be entered".
    if (!(await stat(path)).isFile()) return false;
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
