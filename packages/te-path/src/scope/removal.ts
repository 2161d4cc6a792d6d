import { PermissionDeniedError, type Advice } from "@llmc/errors";
import { contains, displayPath, textOf } from "@llmc/names";
import { kindOf } from "../kernel/kind.js";
import type { Guards } from "./scope.js";
import type { Target } from "./target.js";

/** Refuses to remove, move away or replace what others stand on. What is not there may be asked about as well. */
export function refuseRemoval({ roots, mounts, forbidden, execConfig }: Guards, { real, shown, found }: Target): void {
  const refuse = (why: Advice): never => {
    throw new PermissionDeniedError(shown, { hint: why });
  };
  const root = roots.find((each) => contains(real, each.real) || contains(real, each.path));
  if (root !== undefined) refuse(`It is or holds the root ${textOf(root.path)}. Name something inside it.`);
  const isFolder = found !== undefined && kindOf(found) === "folder";
  execConfig.refuse(real, shown, isFolder);
  const mount = mounts.below(real);
  if (mount !== undefined) refuse(`${displayPath(mount)} is a mount point. Name what lies in it, or unmount it first.`);
  if (!isFolder) return;
  execConfig.refuseAround(real, shown);
  const why = forbidden.below(real);
  if (why !== undefined) refuse(why);
}
