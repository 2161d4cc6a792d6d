import { describe, expect, test } from "vitest";
import { createHttpMcp } from "../../src/index.js";
import { createDemo, type DemoOptions } from "../demo.js";
import { ask, messagesOf, open, rpc, toolCall, type AskOptions, type Json } from "./ask.js";

const any = expect.any(String) as unknown;
const start = (options: DemoOptions = {}) => createHttpMcp(createDemo(options).options);
const PING = rpc(2, "ping");

async function refusal(response: Response) {
  const { jsonrpc, id, error } = (await response.json()) as Json & { error: Json };
  expect({ jsonrpc, id }).toEqual({ jsonrpc: "2.0", id: null });
  return { status: response.status, rpcCode: error["code"], data: error["data"] as Json };
}

describe("a session id", () => {
  test.each([
    ["that nobody has", () => "00000000-0000-4000-8000-000000000000"],
    ["of another token", (own: string) => own],
  ] as const)("%s is not found", async (_, idOf) => {
    const mcp = start();
    const id = idOf(await open(mcp, "alice"));
    for (const method of ["POST", "GET", "DELETE"]) {
      const asked: AskOptions = { method, session: id, token: "bob", ...(method === "POST" ? { body: PING } : {}) };
      expect(await refusal(await ask(mcp, asked))).toEqual({
        status: 404,
        rpcCode: -32001,
        data: {
          code: "NOT_FOUND",
          message: "There is no such session",
          hint: "It ended or expired; POST initialize for a new one.",
          correlation_id: any,
        },
      });
    }
    expect(mcp.sessions()).toBe(1);
    await mcp.close();
  });

  test("that was ended is not found, and its calls are over", async () => {
    const mcp = start();
    const session = await open(mcp);
    expect((await ask(mcp, { method: "DELETE", session })).status).toBe(200);
    expect(mcp.sessions()).toBe(0);
    expect(await refusal(await ask(mcp, { session, body: PING }))).toMatchObject({ status: 404 });
  });

  test.each([
    ["POST", PING],
    ["GET", undefined],
    ["DELETE", undefined],
  ])("that is missing from a %s is asked for", async (method, body) => {
    const mcp = start();
    expect(await refusal(await ask(mcp, { method, body }))).toEqual({
      status: 400,
      rpcCode: -32000,
      data: {
        code: "BAD_ARGS",
        message: any,
        hint: "POST initialize first, then send the Mcp-Session-Id of its answer with every request.",
        correlation_id: any,
      },
    });
    expect(mcp.sessions()).toBe(0);
  });
});

describe("a request", () => {
  test.each([
    ["with broken JSON", { body: '{"jsonrpc":' }, 400, -32700, "BAD_ARGS"],
    ["that is no message", { body: { hello: 1 } }, 400, -32700, "BAD_ARGS"],
    ["of another content type", { body: PING, headers: { "content-type": "text/plain" } }, 415, -32000, "BAD_ARGS"],
    ["that takes no event stream", { body: PING, headers: { accept: "application/json" } }, 406, -32000, "BAD_ARGS"],
    ["that is too large", { body: rpc(1, "x".repeat(2_000)) }, 413, -32000, "TOO_LARGE"],
    [
      "with an unknown revision",
      { body: PING, headers: { "mcp-protocol-version": "1999-01-01" } },
      400,
      -32000,
      "BAD_ARGS",
    ],
    ["that asks to initialize again", { body: rpc(3, "initialize", {}) }, 400, -32600, "BAD_ARGS"],
  ] as [string, AskOptions, number, number, string][])(
    "%s is refused with the envelope, in a session and without one",
    async (what, asked, status, rpcCode, code) => {
      const mcp = start({ mcp: { limits: { max_request_bytes: 1024 } } });
      const session = await open(mcp);
      const initialize = rpc(3, "initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "x", version: "1" },
      });
      const body = what.includes("initialize") ? initialize : asked.body;
      const refused = await refusal(await ask(mcp, { ...asked, body, session }));
      expect(refused).toMatchObject({ status, rpcCode, data: { code, message: any, correlation_id: any } });
      if (!what.includes("initialize") && !what.includes("revision")) {
        expect(await refusal(await ask(mcp, asked))).toMatchObject({ status, rpcCode, data: { code } });
      }
      expect(mcp.sessions()).toBe(1);
      const after = await messagesOf(await ask(mcp, { session, body: PING }));
      expect(after).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }]);
      await mcp.close();
    },
  );

  test("by another method is told which ones there are", async () => {
    const response = await ask(start(), { method: "PUT", body: PING });
    expect(response.headers.get("allow")).toBe("GET, POST, DELETE");
    expect(await refusal(response)).toMatchObject({ status: 405, data: { code: "BAD_ARGS", hint: any } });
  });

  test("for a second event stream is refused while the first one is open", async () => {
    const mcp = start();
    const session = await open(mcp);
    const first = await ask(mcp, { method: "GET", session });
    expect(await refusal(await ask(mcp, { method: "GET", session }))).toMatchObject({
      status: 409,
      data: { code: "ALREADY_EXISTS" },
    });
    await first.body?.cancel();
    const next = await ask(mcp, { method: "GET", session });
    expect(next.status).toBe(200);
    await next.body?.cancel();
    await mcp.close();
  });

  test("keeps its correlation id in the refusal, the tool's error and the record", async () => {
    const demo = createDemo();
    const mcp = createHttpMcp(demo.options);
    const headers = { "x-correlation-id": "trace.7" };
    expect(await refusal(await ask(mcp, { body: PING, headers }))).toMatchObject({
      data: { correlation_id: "trace.7" },
    });
    const session = await open(mcp);
    const failing = await ask(mcp, { session, headers, body: toolCall(3, "linux_crash") });
    expect(await messagesOf(failing)).toMatchObject([{ result: { structuredContent: { correlation_id: "trace.7" } } }]);
    expect(demo.records).toMatchObject([{ correlationId: "trace.7", status: "INTERNAL" }]);
    await mcp.close();
  });

  test("with several messages is answered for each", async () => {
    const mcp = start();
    const session = await open(mcp);
    const response = await ask(mcp, { session, body: [rpc("a", "ping"), toolCall("b", "plain")] });
    expect((await messagesOf(response)).map(({ id }) => id)).toEqual(["a", "b"]);
    await mcp.close();
  });

  test("whose initialize is malformed leaves a session that answers nothing worse", async () => {
    const mcp = start();
    const response = await ask(mcp, { body: rpc(1, "initialize", { protocolVersion: 7 }) });
    expect(response.status).toBe(400);
    expect(mcp.sessions()).toBe(0);
  });
});

test("the probe of a client of the stateless revision is answered at once, so that it falls back", async () => {
  const mcp = start();
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" };
  expect(await refusal(await ask(mcp, { headers, body: rpc(1, "server/discover") }))).toMatchObject({ status: 400 });
  expect(mcp.sessions()).toBe(0);
});
