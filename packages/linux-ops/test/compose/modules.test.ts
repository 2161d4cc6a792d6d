import { settingsOf } from "@llmc/config";
import { ManagedProcesses } from "@llmc/te-process";
import { toolFactory, toolModule, type AnyTool, type CallContext, type OpenModule } from "@llmc/toolkit";
import { expect, vi } from "vitest";
import { z } from "zod";
import { linuxModule, openServices, VERSION, type ServedModule, type Services } from "../../src/index.js";
import { test } from "../helpers.js";

const named = (name: string, toolset = "fs"): AnyTool =>
  toolFactory<CallContext>()({
    name,
    description: "Answer nothing.",
    toolset,
    features: [],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.strictObject({}),
    output: z.strictObject({}),
    handler: async () => ({}),
  });

type Life = Partial<OpenModule<CallContext>>;

/** A module that tells what its server asks of it. */
function telling(name: string, told: string[], life: Life = {}, tools = [named(`${name}.answer`)]): ServedModule {
  const tell =
    (what: string) =>
    async (...about: readonly string[]) =>
      void told.push([name, what, ...about].join(" "));
  return toolModule({
    name,
    tools,
    open: () => {
      told.push(`${name} open`);
      return {
        contextOf: (call) => call,
        health: async () => ({ parts: { [name]: "well" }, problems: [] }),
        endSession: tell("endSession"),
        sweep: tell("sweep"),
        close: tell("close"),
        ...life,
      };
    },
  });
}

function open(root: string, modules: readonly ServedModule[]): Services {
  return openServices({ settings: settingsOf({ roots: [root] }), version: VERSION, log: null, modules });
}

const SESSION = { id: "s", agentId: "a", model: "m", token: "t", owner: "o" };
const failing = async () => {
  throw new Error("broken");
};

test("modules open in their order, and end in the reverse order", async ({ root }) => {
  const told: string[] = [];
  const services = open(root, [telling("one", told), telling("two", told)]);
  await services.endSession("http/s");
  await services.close();
  expect(told).toEqual([
    "one open",
    "two open",
    "two endSession http/s",
    "one endSession http/s",
    "two close",
    "one close",
  ]);
});

test("a module that fails at an end does not keep the others, or the server's own services, from it", async ({
  root,
}) => {
  const told: string[] = [];
  const services = open(root, [telling("one", told), telling("two", told, { endSession: failing, close: failing })]);
  await expect(services.endSession("http/s")).rejects.toThrow("broken");
  await expect(services.close()).rejects.toThrow("broken");
  expect(told).toEqual(["one open", "two open", "one endSession http/s", "one close"]);
});

test("a module that cannot be opened refuses the start, and what was opened before it is closed", async ({ root }) => {
  const told: string[] = [];
  const broken: ServedModule = {
    ...telling("broken", told),
    open: () => {
      throw new Error("no index");
    },
  };
  expect(() => open(root, [telling("one", told), broken])).toThrow("no index");
  await vi.waitFor(() => expect(told).toEqual(["one open", "one close"]));
});

test("two tools of one name are refused before anything opens, in either form of the name", ({ root }) => {
  const told: string[] = [];
  const other = telling("other", told, {}, [named("linux_fs.read")]);
  expect(() => open(root, [linuxModule, other])).toThrow(
    "Two tools are named linux_fs.read: one of linux-ops, one of other",
  );
  expect(told).toEqual([]);
});

test("health has the facts of every module, and a module that cannot tell them is a problem", async ({ root }) => {
  const services = open(root, [linuxModule, telling("one", []), telling("two", [], { health: failing })]);
  const { payload } = await services.dispatcher.call("health", {}, { session: SESSION, entry: "library" });
  expect(payload).toMatchObject({ ok: false, problems: ["two: broken"] });
  expect(Object.keys(payload["engines"] as object)).toEqual([
    "content",
    "names",
    "search_in",
    "bwrap",
    "pdf",
    "sharp",
    "one",
  ]);
  await services.close();
});

test("leftovers are removed some time after the start, and a module that fails at it is a problem", async ({
  root,
}) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const told: string[] = [];
  const services = open(root, [linuxModule, telling("one", told), telling("two", told, { sweep: failing })]);
  vi.advanceTimersByTime(2000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(told).toContain("one sweep"));
  const { payload } = await services.dispatcher.call("health", {}, { session: SESSION, entry: "library" });
  expect(payload).toMatchObject({ problems: ["Leftovers of killed servers were not removed: broken"] });
  await services.close();
});

test("a toolset that no setting can name is listed, one that the settings leave out is not", async ({ root }) => {
  const tools = [named("own", "of-my-own"), named("left.out", "compat")];
  const services = open(root, [telling("one", [], {}, tools)]);
  expect(tools.map((tool) => services.access.listed(tool))).toEqual([true, false]);
  await services.close();
});

test("a call of any module starts the idle clock of its session's managed processes anew", async ({ root }) => {
  const called = vi.spyOn(ManagedProcesses.prototype, "called");
  const services = open(root, [telling("one", [])]);
  await services.dispatcher.call("one.answer", {}, { session: SESSION, entry: "http" });
  expect(called.mock.calls).toEqual([["o", false]]);
  called.mockRestore();
  await services.close();
});

test("without a list, the linux.* tools are served", async ({ root }) => {
  const services = openServices({ settings: settingsOf({ roots: [root] }), version: VERSION, log: null });
  expect(services.dispatcher.tools).toEqual(linuxModule.tools);
  await services.close();
});
