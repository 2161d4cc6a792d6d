import type { Hand } from "../src/hand.js";
import type { Closed } from "../src/path/closed.js";

/** A hand that calls back before something that is about to be copied is judged; `shown` is its path. */
export function hooked(hand: Hand, before: (shown: string) => void): Hand {
  const closed = new Proxy(hand.tree.closed, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      if (key !== "refuseFound") return value.bind(target) as unknown;
      return (...args: Parameters<Closed["refuseFound"]>) => {
        before(args[2]);
        return target.refuseFound(...args);
      };
    },
  });
  return { ...hand, tree: { ...hand.tree, closed } };
}
