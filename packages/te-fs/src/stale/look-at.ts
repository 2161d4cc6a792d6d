import { isMissing, atPath, InTheWay } from "@llmc/te-undo";
import { type Steps, type Tree, hasFile, type FileSpot } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";

/** Looks at what a session has seen, by the path that it had; undefined where nothing is, or only through a link by now. */
export function* lookAt<T>(tree: Tree, real: Bytes, look: (spot: FileSpot) => Steps<T>): Steps<T | undefined> {
  try {
    return yield* atPath(tree, real, function* (spot) {
      return hasFile(spot) ? yield* look(spot) : undefined;
    });
  } catch (thrown) {
    if (thrown instanceof InTheWay || isMissing(thrown)) return undefined;
    throw thrown;
  }
}
