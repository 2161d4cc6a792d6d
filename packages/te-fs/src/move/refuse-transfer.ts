import { AlreadyExistsError, InvalidArgumentError, PermissionDeniedError } from "@llmc/errors";
import {
  type OpenScope,
  kindOf,
  type Stat,
  type Work,
  refuseRemoval,
  type Target,
  type ExistingTarget,
  isEmpty,
  withEntry,
} from "@llmc/te-path";
import { contains, displayPath } from "@llmc/names";
import { mayTake } from "../remove/may-take.js";

export interface TransferWish {
  readonly copy: boolean;
  readonly overwrite: boolean;
}

/** Refuses what can be seen to be wrong before anything is touched. */
export function* refuseTransfer(
  scope: OpenScope,
  from: ExistingTarget,
  to: Target,
  { copy, overwrite }: TransferWish,
): Work<void> {
  const isFolder = kindOf(from.found) === "folder";
  if (from.real === to.real)
    throw new InvalidArgumentError(`${from.shown} and ${to.shown} are the same`, "Choose another target.");
  if (copy) refuseCopy(scope, from);
  else refuseRemoval(scope, from);
  scope.execConfig.refuse(to.real, to.shown, isFolder);
  if (isFolder && contains(from.real, to.real))
    throw new InvalidArgumentError(`${from.shown} cannot go into itself`, "Choose a target outside of it.");
  if (to.found !== undefined) yield* refuseReplacing(scope, from.found, { ...to, found: to.found }, overwrite);
  if (!copy) yield* mayTake(from);
}

/** As `mv` does it: a folder is replaced by a folder, and only while it is empty; everything else by what is no folder. */
function* refuseReplacing(scope: OpenScope, source: Stat, to: ExistingTarget, overwrite: boolean): Work<void> {
  const [isFolder, wasFolder] = [kindOf(source) === "folder", kindOf(to.found) === "folder"];
  const fits = isFolder === wasFolder && (!wasFolder || (yield* withEntry(to, isEmpty)));
  if (!fits) throw new AlreadyExistsError(to.shown, "Delete it first, or choose another target.");
  if (!overwrite) throw new AlreadyExistsError(to.shown, { id: "overwrite" });
  refuseRemoval(scope, to);
}

/** What would be read and come to lie where it is open. */
function refuseCopy({ mounts, forbidden }: OpenScope, { real, shown, found }: ExistingTarget): void {
  if (kindOf(found) !== "folder") return;
  const mount = mounts.below(real);
  const why =
    mount === undefined
      ? forbidden.below(real)
      : `${displayPath(mount)} is a mount point: copy what lies in it itself.`;
  if (why !== undefined) throw new PermissionDeniedError(shown, { hint: why });
}
