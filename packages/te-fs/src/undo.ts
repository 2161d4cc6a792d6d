import type { Journal } from "./journal/journal.js";
import type { OpenScope } from "./path/open-scope.js";
import type { Locks } from "./state/locks.js";
import type { Temps } from "./state/temps.js";

/** A change of files works with this: the scope, one writer for each target, temporary names, and the record of the change. */
export interface Undo extends Journal {
  readonly scope: OpenScope;
  readonly locks: Locks;
  readonly temps: Temps;
}
