import { AlreadyExistsError } from "@llmc/errors";
import { type Undo, type Change, replaceFile } from "@llmc/te-undo";
import { hasCode, inFolder, lstat, type Steps, type Spot } from "@llmc/te-path";
import { show } from "@llmc/names";

const MOST = 100;

/** A copy beside the file, under the first of `.bak`, `.bak.1` … that is free. Where it is, as the caller spells it. */
export function* backUp(undo: Undo, spot: Spot, bytes: Uint8Array, change: Change): Steps<string> {
  const mode = spot.found === undefined ? undefined : Number(spot.found.mode & 0o777n);
  for (let nth = 0; nth < MOST; nth++) {
    const ending = nth === 0 ? ".bak" : `.bak.${nth}`;
    const { parent, parentId, name, real, shown } = spot;
    const free = { parent, parentId, name: name + ending, real: real + ending, shown: shown + ending, folder: false };
    if ((yield* lstat(parent.mount, inFolder(parent, free.name))) !== undefined) continue;
    undo.scope.executed.refuse(free.real, free.shown, false);
    try {
      yield* replaceFile(undo.temps, { ...free, found: undefined }, { bytes, mode }, change);
      return free.shown;
    } catch (thrown) {
      if (!hasCode(thrown, "EEXIST")) throw thrown;
    }
  }
  throw new AlreadyExistsError(`${show(spot.real)}.bak.${MOST - 1}`, "Remove old backups, or leave out backup.");
}
