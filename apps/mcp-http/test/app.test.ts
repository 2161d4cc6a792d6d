import { EngineUnavailableError, RateLimitedError } from "@llmc/errors";
import type { Session } from "@llmc/toolkit";
import { expect, test } from "vitest";
import { toyServer } from "./toy-server.js";

const call = { session_id: "s-1", name: "toy", args: {} };

test("a result that was cut says so in meta, and names its handle, wherever the tool put them", async () => {
  const toy = await toyServer(async ({ shape }) =>
    shape === "flat"
      ? { rows: [], truncated: true, handle: "H_1" }
      : { content: "x", handle: null, meta: { truncated: true } },
  );
  const flat = await (await toy.post({ ...call, args: { shape: "flat" } })).json();
  expect(flat).toEqual({
    data: { rows: [], truncated: true, handle: "H_1" },
    meta: { correlation_id: expect.any(String), truncated: true, handle: "H_1" },
  });
  const nested = await (await toy.post(call)).json();
  expect(nested).toMatchObject({ meta: { correlation_id: expect.any(String), truncated: true } });
});

test("a tool whose result is data and meta already is answered with just these", async () => {
  const answers = [{ data: ["a"], meta: { path: "/x", truncated: true } }, { data: { size: 1 } }];
  const toy = await toyServer(async ({ which }) => answers[Number(which)] ?? {}, { enveloped: true });
  const reply = async (which: number) => (await toy.post({ ...call, args: { which } })).json();
  const correlation_id = expect.any(String) as string;
  expect(await reply(0)).toEqual({ data: ["a"], meta: { path: "/x", truncated: true, correlation_id } });
  expect(await reply(1)).toEqual({ data: { size: 1 }, meta: { correlation_id } });
});

test("the session of a call is the body's, its owner the token's and the session's together", async () => {
  const seen: Session[] = [];
  const toy = await toyServer(async (_args, { session }) => ({ n: seen.push(session) }));
  await toy.post(call);
  await toy.post({ ...call, agent_id: "me", model: "m-1", budget_profile: "night" });
  expect(seen).toEqual([
    { id: "s-1", agentId: "claude-desktop-mcp", model: "unknown", token: "local", owner: "local/rest:s-1" },
    { id: "s-1", agentId: "me", model: "m-1", budgetProfile: "night", token: "local", owner: "local/rest:s-1" },
  ]);
});

test("a client that goes away cancels its call", async () => {
  const gone = signalled();
  const begun = signalled();
  const toy = await toyServer((_args, { signal }) => {
    begun.resolve();
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        gone.resolve();
        resolve({});
      });
    });
  });
  const client = new AbortController();
  const request = toy.post(call, { signal: client.signal });
  await begun.promise;
  client.abort();
  await expect(request).rejects.toThrow("aborted");
  await gone.promise;
});

test("a failure of a tool is its envelope with its own status; what nobody foresaw shows nothing", async () => {
  const toy = await toyServer(async ({ how }) => {
    if (how === "busy") throw new RateLimitedError("all slots are taken", 2500);
    if (how === "missing") throw new EngineUnavailableError("ripgrep", "it is not installed", "Install it.");
    throw new Error("the secret reason");
  });
  const reply = async (how: string) => {
    const response = await toy.post({ ...call, args: { how } }, undefined);
    return { status: response.status, retry: response.headers.get("retry-after"), body: await response.json() };
  };
  expect(await reply("busy")).toEqual({
    status: 429,
    retry: "3",
    body: {
      code: "RATE_LIMITED",
      message: "Too many calls: all slots are taken",
      hint: "Try again in 3 s.",
      retry_after_ms: 2500,
      correlation_id: expect.any(String),
    },
  });
  expect(await reply("missing")).toMatchObject({ status: 503, body: { code: "ENGINE_UNAVAILABLE" } });
  const fault = await reply("?");
  expect(fault).toMatchObject({ status: 500, body: { code: "INTERNAL" } });
  expect(JSON.stringify(fault)).not.toContain("secret");
  expect(toy.answered.map(({ status, error }) => [status, error?.code])).toEqual([
    [429, "RATE_LIMITED"],
    [503, "ENGINE_UNAVAILABLE"],
    [500, "INTERNAL"],
  ]);
});

test("each request is told of once, with its id, its route and its status", async () => {
  const toy = await toyServer(async () => ({}));
  await (await fetch(`${toy.base}/health`, { headers: { "x-correlation-id": "one" } })).text();
  await (await fetch(`${toy.base}/nowhere?token=x`, { headers: { "x-correlation-id": "two" } })).text();
  expect(
    toy.answered.map(({ correlationId, method, route, status }) => ({ correlationId, method, route, status })),
  ).toEqual([
    { correlationId: "one", method: "GET", route: "/health", status: 200 },
    { correlationId: "two", method: "GET", route: "/nowhere", status: 404 },
  ]);
});

/** Promise.withResolvers came after Node 20. */
function signalled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
