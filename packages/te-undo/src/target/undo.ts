import type { OpenScope } from "@llmc/te-path";
import type { Changes } from "../store/change.js";
import type { Locks } from "../locks/locks.js";
import type { Temps } from "../temps/temps.js";

/** Services for changes: the scope, one writer for each target, temporary names and the record of a change. */
export interface Undo extends Changes {
  readonly scope: OpenScope;
  readonly locks: Locks;
  readonly temps: Temps;
}
