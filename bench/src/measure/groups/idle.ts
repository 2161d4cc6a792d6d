import { setTimeout as delay } from "node:timers/promises";
import type { Group } from "../context.js";
import { interleave, type Contender } from "../interleave.js";
import { residentMiB } from "../process-tree.js";
import { compare } from "../rows.js";
import { OURS, SMALLEST, type Server } from "../servers.js";

const ROUNDS = 7;
const IDLE_MS = 1000;

/** What a server that nobody asks for anything keeps of the machine's memory. */
export const idle: Group = async ({ servers, rounds }) => {
  const { smallest, bareSdk, filesystem, commander, ours } = servers;
  const outcomes = await interleave([smallest, bareSdk, filesystem, commander, ours].map(idling), {
    warmup: 0,
    rounds: rounds(ROUNDS),
  });
  return compare({
    group: "Memory",
    case: "resident, 1 s after `tools/list`, children included",
    unit: "MiB",
    outcomes,
    base: SMALLEST,
    goals: { [OURS]: { of: "median", atMost: 70 } },
  });
};

function idling({ subject, optional, start }: Server): Contender {
  return {
    subject,
    optional,
    async once() {
      const server = await start();
      try {
        await server.request("tools/list", {});
        await delay(IDLE_MS);
        return residentMiB(server.pid);
      } finally {
        await server.end();
      }
    },
  };
}
