import { createLinuxOps } from "@llmc/linux-ops";
import { toolFactory, toolModule, type CallContext } from "@llmc/toolkit";
import { z } from "zod";

interface DiceContext extends CallContext {
  readonly sides: number;
}

const roll = toolFactory<DiceContext>()({
  name: "dice.roll",
  description: "Roll dice.",
  toolset: "dice",
  features: [],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ count: z.int().min(1).max(100).default(1) }),
  output: z.strictObject({ points: z.int() }),
  handler: async ({ count }, { sides }) => ({ points: count * sides }),
});

const dice = toolModule({
  name: "dice",
  tools: [roll],
  open: () => ({
    contextOf: (call) => ({ ...call, sides: 6 }),
    health: async () => ({ parts: { dice: "loaded" }, problems: [] }),
    endSession: async () => {},
    sweep: async () => {},
    close: async () => {},
  }),
});

const ops = createLinuxOps({ roots: [process.cwd()], modules: [dice] });
const { points } = await ops.call("dice.roll", { count: 2 });
await ops.close();
console.log(points); // 12
