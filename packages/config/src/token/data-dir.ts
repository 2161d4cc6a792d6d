import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "../error/config-error.js";

/** Makes the data dir, so that a start that cannot keep anything ends with one line instead of a late surprise. */
export function demandDataDir(dataDir: string | null): void {
  if (dataDir === null) return;
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw new ConfigError(`the data dir ${dataDir} cannot be written (${code}); --data-dir DIR names another`);
  }
}

/** With its parents, private. Node's own `recursive` never returns where a parent refuses with ENOENT, as /proc does. */
export function makeFolder(path: string): void {
  const problem = makeOne(path);
  if (problem === undefined) return;
  const parent = dirname(path);
  if (problem.code !== "ENOENT" || statSync(parent, { throwIfNoEntry: false }) !== undefined) throw problem;
  makeFolder(parent);
  const second = makeOne(path);
  if (second !== undefined) throw second;
}

/** A folder that another process has made in the meantime is as good. */
function makeOne(path: string): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return undefined;
  } catch (thrown) {
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    return isThere ? undefined : (thrown as NodeJS.ErrnoException);
  }
}
