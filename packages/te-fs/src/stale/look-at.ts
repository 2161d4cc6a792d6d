import { isMissing } from "../journal/foresight.js";
import { atPath } from "../journal/at-path.js";
import { InTheWay } from "../journal/in-the-way.js";
import type { Steps } from "../kernel/syscalls.js";
import type { Bytes } from "../path/bytes.js";
import type { Tree } from "../path/walk.js";
import { hasFile, type FileSpot } from "../write/refuse-write.js";

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
