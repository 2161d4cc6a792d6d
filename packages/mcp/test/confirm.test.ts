import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema, type ElicitRequest, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { describe, expect, test, vi } from "vitest";
import { createDemo, type DemoOptions } from "./demo.js";
import { connect } from "./in-memory.js";
import { later } from "./later.js";

const DELETE = { name: "linux_fs_delete", arguments: { path: "/srv/data/a" } };

interface Asked {
  readonly questions: ElicitRequest["params"][];
  readonly prepare: (client: Client) => void;
}

/** A client whose person answers as told. */
function person(answer: (signal: AbortSignal) => ElicitResult | Promise<ElicitResult>): Asked {
  const questions: ElicitRequest["params"][] = [];
  return {
    questions,
    prepare: (client) =>
      client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
        questions.push(params);
        return answer(signal);
      }),
  };
}

const asking = { capabilities: { elicitation: {} } };
const start = (options: DemoOptions, asked?: Asked) => {
  const demo = createDemo(options);
  return connect(demo, asked === undefined ? {} : asking, asked?.prepare).then((connected) => ({ demo, ...connected }));
};

describe("a destructive call", () => {
  test("that a person accepts is made, and the question names it", async () => {
    const asked = person(() => ({ action: "accept", content: {} }));
    const { client, demo } = await start({ confirm: "auto" }, asked);
    expect(await client.callTool(DELETE)).toMatchObject({ structuredContent: { ok: true } });
    expect(demo.deleted).toEqual(["/srv/data/a"]);
    expect(asked.questions).toEqual([
      {
        mode: "form",
        message: 'Allow linux.fs_delete {"path":"/srv/data/a"}?',
        requestedSchema: { type: "object", properties: {} },
      },
    ]);
    await client.close();
  });

  test.each([
    ["decline", "PERMISSION_DENIED", "linux_fs_delete was not confirmed: the person declined"],
    ["cancel", "CANCELLED", "linux_fs_delete was cancelled"],
  ] as const)("that a person answers with %s is not made: %s", async (action, code, message) => {
    const { client, demo } = await start(
      { confirm: "auto" },
      person(() => ({ action })),
    );
    expect(await client.callTool(DELETE)).toMatchObject({ isError: true, structuredContent: { code, message } });
    expect(demo.deleted).toEqual([]);
    await client.close();
  });

  test("that nobody answers ends by its time limit, and the question is withdrawn", async () => {
    const withdrawn = later();
    const asked = person((signal) => {
      signal.addEventListener("abort", () => withdrawn.resolve());
      return new Promise(() => {});
    });
    const { client, demo } = await start({ confirm: "auto", confirmMs: 20 }, asked);
    expect(await client.callTool(DELETE)).toMatchObject({ isError: true, structuredContent: { code: "TIMEOUT" } });
    await withdrawn.promise;
    expect(demo.deleted).toEqual([]);
    await client.close();
  });

  test("that is cancelled while a person thinks withdraws the question", async () => {
    const shown = later();
    const withdrawn = later();
    const asked = person((signal) => {
      signal.addEventListener("abort", () => withdrawn.resolve());
      shown.resolve();
      return new Promise(() => {});
    });
    const { client, demo } = await start({ confirm: "auto" }, asked);
    const cancel = new AbortController();
    const call = client.callTool(DELETE, undefined, { signal: cancel.signal });
    await shown.promise;
    cancel.abort("enough");
    await expect(call).rejects.toThrow("enough");
    await withdrawn.promise;
    expect(demo.deleted).toEqual([]);
    await client.close();
  });

  test("is not made where the client fails to ask", async () => {
    const asked = person(() => {
      throw new Error("no window");
    });
    const { client, demo } = await start({ confirm: "auto" }, asked);
    expect(await client.callTool(DELETE)).toMatchObject({
      isError: true,
      structuredContent: {
        code: "PERMISSION_DENIED",
        message: expect.stringContaining("the client failed to ask (MCP error -32603: no window)") as unknown,
      },
    });
    expect(demo.deleted).toEqual([]);
    await client.close();
  });

  test("is made unasked by a client that cannot ask, under auto", async () => {
    const { client, demo } = await start({ confirm: "auto" });
    expect(await client.callTool(DELETE)).toMatchObject({ structuredContent: { ok: true } });
    expect(demo.deleted).toEqual(["/srv/data/a"]);
    await client.close();
  });

  test("is refused to a client that cannot ask, under require", async () => {
    const { client, demo } = await start({ confirm: "require" });
    expect(await client.callTool(DELETE)).toMatchObject({
      isError: true,
      structuredContent: { code: "PERMISSION_DENIED", hint: expect.stringContaining("mcp.tools.confirm") as unknown },
    });
    expect(demo.deleted).toEqual([]);
    await client.close();
  });

  test("is not asked about where only addresses can be shown", async () => {
    const demo = createDemo({ confirm: "require" });
    const connected = await connect(demo, { capabilities: { elicitation: { url: {} } } });
    expect(await connected.client.callTool(DELETE)).toMatchObject({ isError: true });
    await connected.client.close();
  });
});

test("a call that destroys nothing is never asked about", async () => {
  const asked = person(() => ({ action: "decline" }));
  const { client } = await start({ confirm: "require" }, asked);
  expect(await client.callTool({ name: "linux_sys_snapshot" })).not.toHaveProperty("isError");
  expect(asked.questions).toEqual([]);
  await client.close();
});

test("the answer is checked without the SDK's own validator, which bundles leave out", async () => {
  const used = vi.spyOn(AjvJsonSchemaValidator.prototype, "getValidator");
  const { client, demo } = await start(
    { confirm: "auto" },
    person(() => ({ action: "accept", content: { note: "yes" } })),
  );
  await client.callTool(DELETE);
  expect([demo.deleted.length, used.mock.calls.length]).toEqual([1, 0]);
  used.mockRestore();
  await client.close();
});

test("a question that was answered is not withdrawn afterwards", async () => {
  const { client, sent } = await start(
    { confirm: "auto" },
    person(() => ({ action: "accept", content: {} })),
  );
  await client.callTool(DELETE);
  await client.ping();
  expect(sent.filter(({ method }) => method !== undefined).map(({ method }) => method)).toEqual(["elicitation/create"]);
  await client.close();
});
