import { constants } from "node:fs";
import {
  chmod,
  chown,
  close,
  hasCode,
  inFolder,
  mkdir,
  open,
  rmdir,
  setTime,
  type Descriptor,
  type Work,
  refuseRemoval,
  withEntry,
  withOpen,
  syncFolder,
} from "@llmc/te-path";
import { atPath } from "./at-path.js";
import { changed, Conflict, occupied } from "./conflict.js";
import { unappend, uncreate, uncut, undelete, unwrite } from "./restore-file.js";
import { uncopy, unmove, unremove } from "./restore-tree.js";
import type { UndoContext } from "./undo-context.js";
import { factsOf, type FolderBefore, type UndoStep } from "../store/steps.js";

type Step<Did extends UndoStep["did"]> = Extract<UndoStep, { did: Did }>;

/** Takes back one step that was judged to be made. */
export function* undoStep(work: UndoContext, step: UndoStep): Work<void> {
  switch (step.did) {
    case "rewrote":
      return yield* unwrite(work, step);
    case "created":
      return yield* uncreate(work, step);
    case "deleted":
      return yield* undelete(work, step);
    case "appended":
      return yield* unappend(work, step);
    case "cut":
      return yield* uncut(work, step);
    case "made folder":
      return yield* unmakeFolder(work, step);
    case "removed folder":
      return yield* remakeFolder(work, step);
    case "moved":
      return yield* unmove(work, step);
    case "copied":
    case "restored":
      return yield* uncopy(work, step);
    case "removed":
      return yield* unremove(work, step);
    case "set mode":
      return yield* unsetMode(work, step);
  }
}

function* unmakeFolder({ scope, change }: UndoContext, { path }: Step<"made folder">): Work<void> {
  yield* atPath(scope, path, function* (target) {
    const { parent, name, found } = target;
    if (found === undefined) throw changed(path, "is gone");
    refuseRemoval(scope, target);
    change.note({ did: "removed folder", path, before: factsOf(found) });
    try {
      yield* rmdir(parent.mount, inFolder(parent, name));
    } catch (thrown) {
      change.strike();
      if (hasCode(thrown, "ENOTEMPTY", "EEXIST")) throw new Conflict(path, "is no longer empty", { isChange: true });
      throw thrown;
    }
    yield* syncFolder(parent);
  });
}

function* remakeFolder({ scope, change }: UndoContext, { path, before }: Step<"removed folder">): Work<void> {
  yield* atPath(scope, path, function* ({ parent, name, found }) {
    if (found !== undefined) throw occupied(path);
    change.note({ did: "made folder", path });
    yield* mkdir(parent.mount, inFolder(parent, name), 0o700);
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const folder = yield* open(parent.mount, inFolder(parent, name), flags);
    try {
      yield* give(folder, before);
    } finally {
      yield* close(folder);
    }
    yield* syncFolder(parent);
  });
}

function* unsetMode({ scope, change }: UndoContext, { path, before, after }: Step<"set mode">): Work<void> {
  yield* atPath(scope, path, function* (target) {
    if (target.found === undefined) throw changed(path, "is gone");
    yield* withEntry(target, (entry) =>
      withOpen(entry, constants.O_RDONLY, function* (file) {
        change.note({ did: "set mode", path, before: after, after: before });
        yield* chmod(file, before);
      }),
    );
  });
}

function* give(folder: Descriptor, { uid, gid, mode, mtimeNs }: FolderBefore): Work<void> {
  try {
    yield* chown(folder, uid, gid);
  } catch (thrown) {
    if (!hasCode(thrown, "EPERM", "EINVAL", "ENOSYS", "ENOTSUP")) throw thrown;
  }
  yield* chmod(folder, mode);
  yield* setTime(folder, BigInt(mtimeNs));
}
