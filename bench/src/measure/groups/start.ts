import type { Group } from "../context.js";
import { interleave, type Contender } from "../interleave.js";
import { compare } from "../rows.js";
import { OURS, SMALLEST, type Server } from "../servers.js";

const ROUNDS = 30;

/** From the spawn to the answer of `initialize`. */
export const start: Group = async ({ servers, rounds }) => {
  const { smallest, bareSdk, filesystem, commander, ours } = servers;
  const outcomes = await interleave([smallest, bareSdk, filesystem, commander, ours].map(starting), {
    warmup: 2,
    rounds: rounds(ROUNDS),
  });
  return compare({
    group: "Start",
    case: "spawn until `initialize` is answered",
    unit: "ms",
    outcomes,
    base: SMALLEST,
    goals: { [OURS]: { of: "ratio", atMost: 5 } },
  });
};

function starting({ subject, optional, start: startServer }: Server): Contender {
  return {
    subject,
    optional,
    async once() {
      const before = performance.now();
      const server = await startServer();
      const took = performance.now() - before;
      await server.end();
      return took;
    },
  };
}
