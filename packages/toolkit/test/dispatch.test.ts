import { OpsError } from "@llmc/errors";
import { expect, test } from "vitest";
import { createDispatcher, parseArguments } from "../src/index.js";
import { echo, from, pipeline, toolNamed } from "./fixture.js";

test("a call answers the payload under both spellings of the name", async () => {
  const { dispatcher } = pipeline([echo]);
  expect((await dispatcher.call("linux.echo", { text: "a" }, from())).payload).toEqual({ said: "a" });
  expect((await dispatcher.call("linux_echo", { text: "b" }, from())).payload).toEqual({ said: "b" });
});

test("the text form is the tool's own rendering, else compact JSON, made once", async () => {
  let made = 0;
  const rendered = toolNamed("shout", async ({ text }) => ({ said: text }), {
    render: (result: { said: string }) => `${result.said}! ${(made += 1)}`,
  } as never);
  const { dispatcher } = pipeline([echo, rendered]);
  expect((await dispatcher.call("linux.echo", {}, from())).text()).toBe('{"said":"hi"}');
  const { text } = await dispatcher.call("shout", {}, from());
  expect([text(), text()]).toEqual(["hi! 1", "hi! 1"]);
});

test("a result with media is taken apart once, and its text has nothing of their bytes", async () => {
  let made = 0;
  const media = [{ type: "image", mimeType: "image/png", data: "aGk=" }] as const;
  const picture = toolNamed("picture", async () => ({ said: "aGk=" }), {
    part: () => ((made += 1), { media, rest: { said: "" } }),
  });
  const plain = toolNamed("plain", async () => ({ said: "x" }), { part: () => ((made += 1), null) });
  const { dispatcher } = pipeline([echo, picture, plain]);
  const shown = await dispatcher.call("picture", {}, from());
  expect([shown.payload, shown.text(), shown.parted(), shown.parted(), made]).toEqual([
    { said: "aGk=" },
    '{"said":""}',
    { media, rest: { said: "" } },
    { media, rest: { said: "" } },
    1,
  ]);
  const none = await dispatcher.call("plain", {}, from());
  expect([none.parted(), none.parted(), none.text(), made]).toEqual([null, null, '{"said":"x"}', 2]);
  expect((await dispatcher.call("linux.echo", {}, from())).parted()).toBe(null);
});

test("an unknown tool is an error that names the nearest one, and is recorded", async () => {
  const { dispatcher, records } = pipeline([echo]);
  await expect(dispatcher.call("linux.ecko", {}, from())).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    remedy: { id: "did-you-mean", names: ["linux.echo"] },
    details: { unknown_tool: "linux.ecko" },
  });
  expect(records).toMatchObject([{ tool: "linux.ecko", status: "INVALID_ARGUMENT" }]);
});

test("a crashed handler and a result that breaks its schema are INTERNAL, with the cause kept for the log", async () => {
  const crash = toolNamed("crash", () => Promise.reject(new Error("boom")));
  const wrong = toolNamed("wrong", async () => ({ said: 1 }) as never);
  const { dispatcher, records } = pipeline([crash, wrong]);
  for (const name of ["crash", "wrong"]) {
    const error = await dispatcher.call(name, {}, from()).catch((thrown: unknown) => thrown);
    expect(OpsError.is(error) && { code: error.code, message: error.message }).toEqual({
      code: "INTERNAL",
      message: "Unexpected failure",
    });
  }
  expect(records[0]?.error?.cause).toMatchObject({ message: "boom" });
});

test("the context is made for the tool that is called", async () => {
  const other = toolNamed("other", async () => ({ said: "" }));
  const made: string[] = [];
  const dispatcher = createDispatcher({
    tools: [echo, other],
    contextOf: (call, tool) => (made.push(tool.name), call),
    middleware: [parseArguments()],
  });
  await dispatcher.call("other", {}, from());
  await dispatcher.call("linux_echo", { text: "a" }, from());
  expect(made).toEqual(["other", "linux.echo"]);
});

test("a middleware that calls next twice is refused", async () => {
  const twice = createDispatcher({
    tools: [echo],
    contextOf: (call) => call,
    middleware: [async (_call, next) => (await next(), next())],
  });
  await expect(twice.call("linux.echo", {}, from())).rejects.toMatchObject({ code: "INTERNAL" });
});

test("the caller's correlation id is kept when well formed and replaced when not", async () => {
  const { dispatcher, records } = pipeline([echo]);
  await dispatcher.call("linux.echo", {}, from("t", { correlationId: "abc-1" }));
  await dispatcher.call("linux.echo", {}, from("t", { correlationId: "a b\n" }));
  expect(records[0]?.correlationId).toBe("abc-1");
  expect(records[1]?.correlationId).toMatch(/^[0-9a-f]{8}$/);
});

test("a handler learns which arguments the caller wrote himself", async () => {
  const given: string[][] = [];
  const tool = toolNamed("given", async (_args, context) => {
    given.push([...context.given]);
    return { said: "" };
  });
  await pipeline([tool]).dispatcher.call("given", { count: 1 }, from());
  expect(given).toEqual([["count"]]);
});
