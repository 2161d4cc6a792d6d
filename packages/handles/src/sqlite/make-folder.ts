import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * With its parents, private; tells whether it was made. Node's own `recursive` never returns where a parent refuses with
 * ENOENT, as /proc does.
 */
export function makeFolder(path: string): boolean {
  const problem = makeOne(path);
  if (typeof problem === "boolean") return problem;
  const parent = dirname(path);
  if (problem.code !== "ENOENT" || statSync(parent, { throwIfNoEntry: false }) !== undefined) throw problem;
  makeFolder(parent);
  const second = makeOne(path);
  if (typeof second === "boolean") return second;
  throw second;
}

/** A folder that another process has made in the meantime is as good. */
function makeOne(path: string): boolean | NodeJS.ErrnoException {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (thrown) {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
      ? false
      : (thrown as NodeJS.ErrnoException);
  }
}
