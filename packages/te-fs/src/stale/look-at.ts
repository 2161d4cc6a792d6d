import { isMissing, atPath, Conflict } from "@llmc/te-undo";
import { type Work, type Scope, hasFile, type FileTarget } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";

/** Looks at what a session has seen, by the path that it had; undefined where nothing is, or only through a link by now. */
export function* lookAt<T>(scope: Scope, real: Bytes, look: (target: FileTarget) => Work<T>): Work<T | undefined> {
  try {
    return yield* atPath(scope, real, function* (target) {
      return hasFile(target) ? yield* look(target) : undefined;
    });
  } catch (thrown) {
    if (thrown instanceof Conflict || isMissing(thrown)) return undefined;
    throw thrown;
  }
}
