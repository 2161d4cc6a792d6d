import { AlreadyExistsError } from "@llmc/errors";
import { type Undo, type Change, replaceTarget } from "@llmc/te-undo";
import { hasCode, inFolder, lstat, type Work, type Target } from "@llmc/te-path";
import { displayPath } from "@llmc/names";

const MOST = 100;

/** A copy beside the file, under the first of `.bak`, `.bak.1` … that is free. Where it is, as the caller spells it. */
export function* backUp(undo: Undo, target: Target, bytes: Uint8Array, change: Change): Work<string> {
  const mode = target.found === undefined ? undefined : Number(target.found.mode & 0o777n);
  for (let nth = 0; nth < MOST; nth++) {
    const ending = nth === 0 ? ".bak" : `.bak.${nth}`;
    const { parent, parentId, name, real, shown } = target;
    const free = { parent, parentId, name: name + ending, real: real + ending, shown: shown + ending, folder: false };
    if ((yield* lstat(parent.mount, inFolder(parent, free.name))) !== undefined) continue;
    undo.scope.execConfig.refuse(free.real, free.shown, false);
    try {
      yield* replaceTarget(undo.temps, { ...free, found: undefined }, { bytes, mode }, change);
      return free.shown;
    } catch (thrown) {
      if (!hasCode(thrown, "EEXIST")) throw thrown;
    }
  }
  throw new AlreadyExistsError(`${displayPath(target.real)}.bak.${MOST - 1}`, { id: "fewer-backups" });
}
