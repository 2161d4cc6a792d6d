import { RateLimitedError } from "@llmc/errors";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tokenBuckets } from "../src/limits/rate-limit.js";
import { toyServer } from "./toy-server.js";

test("a caller has its burst at once, then its requests a second, and others have their own", async () => {
  let now = 0;
  const limiter = tokenBuckets({ rps: 10, burst: 20 }, () => now);
  for (let count = 0; count < 20; count += 1) await limiter.take("a");
  await expect(limiter.take("a")).rejects.toMatchObject({ code: "RATE_LIMITED", details: { retry_after_ms: 100 } });
  await limiter.take("b");
  now += 100;
  await limiter.take("a");
  await expect(limiter.take("a")).rejects.toThrow(RateLimitedError);
});

test("in any pattern of requests no more pass than burst and rate allow, and who waits as told passes", async () => {
  const pattern = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(
      pattern,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 40 }),
      async (gaps, rps, burst) => {
        let now = 0;
        let passed = 0;
        const limiter = tokenBuckets({ rps, burst }, () => now);
        for (const gap of gaps) {
          now += gap;
          const refused = await limiter.take("a").then(
            () => undefined,
            (thrown: unknown) => thrown as RateLimitedError,
          );
          if (refused !== undefined) {
            now += Number(refused.details?.["retry_after_ms"]);
            await limiter.take("a");
          }
          passed += 1;
          expect(passed).toBeLessThanOrEqual(burst + (now / 1000) * rps + 1e-6);
        }
      },
    ),
  );
});

test("004-NFR-2 a token with too many requests is told 429 and when to come back, over REST and over MCP", async () => {
  const toy = await toyServer(async () => ({}), { limits: { rate_limit_rps: 0.5, rate_limit_burst: 2 } });
  const call = { session_id: "s", name: "toy", args: {} };
  expect([(await toy.post(call)).status, (await toy.post(call)).status]).toEqual([200, 200]);
  const refused = await toy.post(call);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
  expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED", retry_after_ms: expect.any(Number) });
  const mcp = await fetch(`${toy.base}/mcp`, { method: "POST", body: "{}" });
  expect([mcp.status, mcp.headers.get("retry-after")]).toEqual([429, "2"]);
  expect(await mcp.json()).toMatchObject({
    jsonrpc: "2.0",
    id: null,
    error: { data: { code: "RATE_LIMITED", retry_after_ms: expect.any(Number) } },
  });
  expect((await fetch(`${toy.base}/health`)).status).toBe(200);
});

test("who tries tokens is slowed down, and the right token is not", async () => {
  const toy = await toyServer(async () => ({}), { token: "a-right-token-of-24-chars" });
  const status = async (token: string) =>
    (await fetch(`${toy.base}/openapi.json`, { headers: { authorization: `Bearer ${token}` } })).status;
  for (let count = 0; count < 10; count += 1) expect(await status("wrong")).toBe(401);
  const order: string[] = [];
  const slow = status("wrong").then((code) => order.push(`wrong ${code}`));
  const fast = status("a-right-token-of-24-chars").then((code) => order.push(`right ${code}`));
  await Promise.all([slow, fast]);
  expect(order).toEqual(["right 200", "wrong 401"]);
  const many = await Promise.all(Array.from({ length: 9 }, () => status("wrong")));
  expect(many.filter((code) => code === 429)).toHaveLength(1);
});
