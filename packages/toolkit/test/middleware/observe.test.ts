import { expect, test } from "vitest";
import { z } from "zod";
import { createDispatcher, observe, parseArguments, type CallContext, type CallRecord } from "../../src/index.js";
import { echo, from, pipeline, toolNamed } from "../fixture.js";

test("each end of a call makes exactly one record with its status and facts", async () => {
  const abort = new AbortController();
  const hang = toolNamed("hang", () => {
    abort.abort();
    return new Promise(() => {});
  });
  const slow = toolNamed("slow", () => new Promise(() => {}));
  const crash = toolNamed("crash", () => Promise.reject(new Error("x")));
  const { dispatcher, records } = pipeline([echo, hang, slow, crash], { readMs: 20, deny: [] });
  await dispatcher.call("linux.echo", { text: "yo", count: 2 }, from());
  await dispatcher.call("linux.echo", { count: 9 }, from()).catch(() => {});
  await dispatcher.call("hang", {}, from("t", { signal: abort.signal })).catch(() => {});
  await dispatcher.call("slow", {}, from()).catch(() => {});
  await dispatcher.call("crash", {}, from()).catch(() => {});
  await dispatcher.call("nowhere", {}, from()).catch(() => {});
  expect(records.map(({ tool, status, facts }) => ({ tool, status, facts }))).toEqual([
    { tool: "linux.echo", status: "ok", facts: { count: 2, said: "yo" } },
    { tool: "linux.echo", status: "INVALID_ARGUMENT", facts: {} },
    { tool: "hang", status: "CANCELLED", facts: { count: 1 } },
    { tool: "slow", status: "TIMEOUT", facts: { count: 1 } },
    { tool: "crash", status: "INTERNAL", facts: { count: 1 } },
    { tool: "nowhere", status: "INVALID_ARGUMENT", facts: {} },
  ]);
});

test.for([
  ["says it itself", { truncated: true, handle: "H_1" }],
  ["says it in its meta", { meta: { truncated: true, handle: "H_1" } }],
] as const)("what was cut, and where the whole is, is on the record when a result %s", async ([, result]) => {
  const cut = { ...toolNamed("cut", () => Promise.reject(new Error("unused"))), handler: async () => result };
  const { dispatcher, records } = pipeline([{ ...cut, output: z.looseObject({}) }, echo]);
  await dispatcher.call("cut", {}, from());
  await dispatcher.call("linux.echo", {}, from());
  expect(records.map(({ truncated, handle }) => [truncated, handle])).toEqual([
    [true, "H_1"],
    [false, null],
  ]);
});

test("what a handler tells of an output, and the client's name, are on the record", async () => {
  const facts = {
    ...{ command: "ls", family: "ls", mode: "raw" as const, rawTokens: 1, shownTokens: 1, truncated: false },
    ...{ handles: [], shorteningMs: 1 },
  };
  const run = {
    ...toolNamed("run", () => Promise.reject(new Error("unused"))),
    output: z.looseObject({}),
    handler: async (_: object, { recordEnvelope }: CallContext) => {
      recordEnvelope(facts);
      return {};
    },
  };
  const { dispatcher, records } = pipeline([run, echo]);
  const options = from();
  await dispatcher.call("run", {}, { ...options, session: { ...options.session, client: "claude-code" } });
  await dispatcher.call("linux.echo", {}, options);
  expect(records.map(({ envelope, client }) => [envelope, client])).toEqual([
    [facts, "claude-code"],
    [null, null],
  ]);
});

test("a sink that throws does not fail the call nor keep the record from the other sinks", async () => {
  const seen: CallRecord[] = [];
  const errors: unknown[] = [];
  const broken = () => {
    throw new Error("disk full");
  };
  const dispatcher = createDispatcher({
    tools: [echo],
    contextOf: (call) => call,
    middleware: [
      observe({ sinks: [broken, (record) => seen.push(record)], onSinkError: (error) => errors.push(error) }),
      parseArguments(),
    ],
  });
  await dispatcher.call("linux.echo", {}, from());
  expect([seen.length, errors.length]).toEqual([1, 1]);
});
