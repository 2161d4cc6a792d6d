import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** A folder of ours, which only this user may look into. Node's own `recursive` never returns below /proc. */
export function privateFolder(path: string): void {
  try {
    makeOne(path);
  } catch (thrown) {
    const parent = dirname(path);
    if (lstatSync(parent, { throwIfNoEntry: false }) !== undefined) throw thrown;
    privateFolder(parent);
    makeOne(path);
  }
}

/** One that another process has made in the meantime is as good. */
function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true) throw thrown;
    if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
  }
}
