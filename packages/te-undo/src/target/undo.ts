import type { OpenScope } from "@llmc/te-path";
import type { Changes } from "../store/change.js";
import type { Locks } from "../locks/locks.js";
import type { Temps } from "../temps/temps.js";

/** A change of files works with this: the scope, one writer for each target, temporary names, and the record of the change. */
export interface Undo extends Changes {
  readonly scope: OpenScope;
  readonly locks: Locks;
  readonly temps: Temps;
}
