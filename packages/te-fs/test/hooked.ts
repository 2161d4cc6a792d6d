import type { Undo } from "../../te-undo/src/target/undo.js";
import type { ForbiddenPaths } from "../../te-path/src/scope/forbidden-paths.js";

/** An undo whose scope calls back before something that is about to be copied is judged; `shown` is its path. */
export function hooked(undo: Undo, before: (shown: string) => void): Undo {
  const closed = new Proxy(undo.scope.forbidden, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      if (key !== "refuseFound") return value.bind(target) as unknown;
      return (...args: Parameters<ForbiddenPaths["refuseFound"]>) => {
        before(args[2]);
        return target.refuseFound(...args);
      };
    },
  });
  return { ...undo, scope: { ...undo.scope, forbidden: closed } };
}
