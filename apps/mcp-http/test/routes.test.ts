import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { toyServer } from "./toy-server.js";

const INVOKE = { session_id: "S", role: "Otto", user_msg: "hello", inject_context: "" };

test("004-FR-1 /invoke_agent acknowledges a message", async () => {
  const toy = await toyServer(async () => ({}));
  const post = (body: object) =>
    fetch(`${toy.base}/invoke_agent`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const answered = await post(INVOKE);
  expect([answered.status, await answered.json()]).toEqual([
    200,
    { text: "[MCP v0] received; use /rag/search for pre-call context" },
  ]);
  const refusals = [{ ...INVOKE, role: "Nobody" }, { ...INVOKE, user_msg: 1 }, { ...INVOKE, more: 1 }, {}, []];
  for (const body of refusals) {
    const refused = await post(body);
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { code: "BAD_ARGS", hint: expect.stringContaining("session_id") as string },
    ]);
  }
});

test("/openapi.json is a valid document of version 3.1 with the arguments of every tool", async () => {
  const toy = await toyServer(async () => ({}));
  const answered = await fetch(`${toy.base}/openapi.json`);
  expect(answered.headers.get("content-type")).toMatch(/^application\/json/);
  const document = (await answered.json()) as { readonly openapi: string; readonly paths: object };
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.paths)).toEqual(["/health", "/tool", "/invoke_agent", "/metrics", "/openapi.json"]);
  expect(document).toMatchObject({ components: { schemas: { toy: { properties: { name: { const: "toy" } } } } } });
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});

test("/metrics is text for Prometheus, and a route of its own", async () => {
  const toy = await toyServer(async () => ({}), { token: "a-right-token-of-24-chars" });
  const open = await fetch(`${toy.base}/metrics`);
  expect(open.status).toBe(401);
  const answered = await fetch(`${toy.base}/metrics`, { headers: { "x-llmc-token": "a-right-token-of-24-chars" } });
  expect([answered.status, answered.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect(await answered.text()).toBe("llmc_toys 1\n");
});
