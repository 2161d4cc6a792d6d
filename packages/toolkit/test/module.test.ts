import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { toolFactory, toolModule, type CallContext } from "../src/index.js";

interface Context extends CallContext {
  readonly greeting: string;
}

const greet = toolFactory<Context>()({
  name: "demo.greet",
  description: "Greet.",
  toolset: "demo",
  features: [],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: z.strictObject({ text: z.string() }),
  handler: async (_args, { greeting }) => ({ text: greeting }),
});

const rest = {
  health: async () => ({ parts: {}, problems: [] }),
  endSession: async () => {},
  sweep: async () => {},
  close: async () => {},
};

test("a module makes the context that its tools take, and keeps their names", () => {
  const made = toolModule({
    name: "demo",
    tools: [greet],
    open: ({ greeting }: { readonly greeting: string }, _shared: object) => ({
      ...rest,
      contextOf: (call) => ({ ...call, greeting }),
    }),
  });
  expectTypeOf<(typeof made)["tools"][number]["name"]>().toEqualTypeOf<"demo.greet">();
  expect(made.open({ greeting: "hello" }, {}).contextOf({} as CallContext).greeting).toBe("hello");
});

test("a context that lacks what a tool takes does not compile", () => {
  const incomplete = toolModule({
    name: "demo",
    tools: [greet],
    // @ts-expect-error no greeting
    open: () => ({ ...rest, contextOf: (call: CallContext) => call }),
  });
  expect(incomplete.name).toBe("demo");
});
