import { appendFileSync } from "node:fs";
import type { SharedServices } from "@llmc/linux-ops";
import { toolFactory, toolModule, type CallContext } from "@llmc/toolkit";
import { z } from "zod";

interface Greetings extends CallContext, Pick<SharedServices, "files"> {
  readonly count: () => number;
}

const greet = toolFactory<Greetings>()({
  name: "greeter.greet",
  description: "Greet by name.",
  toolset: "greeter",
  features: [],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ name: z.string().min(1).max(100) }),
  output: z.strictObject({ text: z.string(), nth: z.int(), owner: z.string(), root: z.string() }),

  async handler({ name }, { count, files, session, signal }) {
    const { path } = await files.stat(".", { signal });
    return { text: `Hello ${name}`, nth: count(), owner: session.owner, root: path };
  },

  render: ({ text, nth }) => `${text}, you are number ${nth}`,
});

/** A module of another package. It writes a line to `log` for each step of its life. */
export function greeter(log: string) {
  const tell = (line: string): void => appendFileSync(log, `${line}\n`);
  return toolModule({
    name: "greeter",
    tools: [greet],
    open({ roots }: { readonly roots: readonly string[] }, { files }: Pick<SharedServices, "files">) {
      tell(`open ${roots.join(" ")}`);
      let greeted = 0;
      return {
        contextOf: (call) => ({ ...call, files, count: () => (greeted += 1) }),
        health: async () => ({ parts: { greeter: `${greeted} greeted` }, problems: [] }),
        endSession: async (owner) => tell(`end of ${owner}`),
        sweep: async () => tell("sweep"),
        close: async () => tell(`close after ${greeted}`),
      };
    },
  });
}
