import { expect, test } from "vitest";
import { callTool, freshPlace, rawRequest, request, startServer, type Running } from "./processes.js";

const started = async (args: readonly string[] = []): Promise<Running> => {
  const { home, root } = await freshPlace();
  return startServer({ home, args: ["--root", root, ...args] });
};

const envelope = (code: string) => ({ code, message: expect.any(String), correlation_id: expect.any(String) });
const health = { session_id: "s", name: "health", args: {} };
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)) as unknown;
const hasBody = (answer: string) => /\r\n\r\n\{.*\}$/s.test(answer);

test("/health answers exactly the seed's body, without a token", async () => {
  const running = await started();
  const { status, body } = await request(running, "/health");
  expect({ status, body }).toEqual({ status: 200, body: { ok: true, version: "v0" } });
});

test("both headers carry the token; a missing, a wrong and a query token are refused with a bare challenge", async () => {
  const running = await started();
  expect((await callTool(running, health)).status).toBe(200);
  const own = { "x-llmc-token": running.token, "content-type": "application/json" };
  expect((await request(running, "/tool", { method: "POST", headers: own, body: JSON.stringify(health) })).status).toBe(
    200,
  );
  const wrong = [
    {},
    { authorization: "Bearer nope" },
    { authorization: `Basic ${running.token}` },
    { "x-llmc-token": "" },
  ];
  for (const headers of wrong) {
    for (const path of ["/tool", "/mcp", `/mcp?token=${running.token}&access_token=${running.token}`]) {
      const reply = await request(running, path, {
        method: "POST",
        headers: headers as Record<string, string>,
        body: "{}",
      });
      expect(reply).toMatchObject({ status: 401, body: envelope("AUTH_FAILED") });
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    }
  }
  for (const method of ["GET", "DELETE"]) expect((await request(running, "/mcp", { method })).status).toBe(401);
});

test("a refusal for the token comes before a byte of the body was read, and before one was asked for", async () => {
  const running = await started();
  const head = ["POST /tool HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Content-Length: 100000"];
  // Not one byte of the announced body is ever sent: only an answer that does not wait for it can come.
  const silent = await rawRequest(running.port, `${head.join("\r\n")}\r\n\r\n`, hasBody);
  expect(silent).toMatch(/^HTTP\/1\.1 401 /);
  const asking = await rawRequest(running.port, `${[...head, "Expect: 100-continue"].join("\r\n")}\r\n\r\n`, hasBody);
  expect(asking).toMatch(/^HTTP\/1\.1 401 /);
});

test("a client that asks before it sends its body is told to go on once nothing speaks against it", async () => {
  const running = await started();
  const body = JSON.stringify(health);
  const head = [
    "POST /tool HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    `Authorization: Bearer ${running.token}`,
    "Expect: 100-continue",
  ].join("\r\n");
  const answer = await rawRequest(running.port, `${head}\r\n\r\n${body}`, hasBody);
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

test("a body over the limit is TOO_LARGE, announced or counted as it comes in chunks", async () => {
  const running = await started(["--set", "mcp.limits.max_request_bytes=2048"]);
  const large = JSON.stringify({ ...health, args: { pad: "x".repeat(4000) } });
  expect(await callTool(running, large)).toMatchObject({ status: 413, body: envelope("TOO_LARGE") });
  const announced = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 2049`;
  const head = `POST /tool HTTP/1.1\r\n${announced}\r\nAuthorization: Bearer ${running.token}\r\n\r\n`;
  expect(await rawRequest(running.port, head, hasBody)).toMatch(/^HTTP\/1\.1 413 /);
  const chunked = await request(running, "/tool", {
    method: "POST",
    headers: { authorization: `Bearer ${running.token}`, "content-type": "application/json" },
    body: new Blob([large]).stream(),
    duplex: "half",
  });
  expect(chunked).toMatchObject({ status: 413, body: envelope("TOO_LARGE") });
  expect(await callTool(running, health)).toMatchObject({ status: 200 });
});

test("a compressed body is refused", async () => {
  const running = await started();
  expect(await callTool(running, health, { "content-encoding": "gzip" })).toMatchObject({
    status: 415,
    body: envelope("BAD_ARGS"),
  });
});

test("headers over the limit are 431 with the envelope", async () => {
  const running = await started();
  const answer = await rawRequest(
    running.port,
    `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Pad: ${"x".repeat(20_000)}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(bodyOf(answer)).toMatchObject(envelope("TOO_LARGE"));
});

test("a request that is no HTTP is 400 with the envelope", async () => {
  const running = await started();
  const answer = await rawRequest(running.port, "NONSENSE\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(bodyOf(answer)).toMatchObject(envelope("BAD_ARGS"));
});

test.each([
  ["two Host headers", "Host: localhost\r\nHost: localhost", 400, "BAD_ARGS"],
  ["two Host headers, one foreign", "Host: localhost\r\nHost: evil.example", 400, "BAD_ARGS"],
  ["no Host header", "X-Nothing: 1", 400, "BAD_ARGS"],
  ["a foreign Host", "Host: evil.example", 403, "FORBIDDEN"],
  ["a foreign Host that begins like ours", "Host: localhost.evil.example", 403, "FORBIDDEN"],
  ["the wildcard as Host", "Host: 0.0.0.0", 403, "FORBIDDEN"],
  ["a foreign Origin", "Host: localhost\r\nOrigin: https://evil.example", 403, "FORBIDDEN"],
  ["an opaque Origin", "Host: localhost\r\nOrigin: null", 403, "FORBIDDEN"],
  ["an Origin of another kind", "Host: localhost\r\nOrigin: file://localhost", 403, "FORBIDDEN"],
])("%s is refused on every route", async (_what, lines, status, code) => {
  const running = await started();
  for (const route of ["GET /health", "POST /mcp", "GET /nowhere"]) {
    const answer = await rawRequest(running.port, `${route} HTTP/1.1\r\n${lines}\r\n\r\n`, hasBody);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(bodyOf(answer)).toMatchObject(envelope(code));
  }
});

test.each([
  "Host: 127.0.0.1:1",
  "Host: LOCALHOST",
  "Host: [::1]:80",
  "Host: box.lan:99",
  "Host: localhost\r\nOrigin: http://localhost:3000",
  "Host: localhost\r\nOrigin: https://app.lan",
])("%j is ours", async (lines) => {
  const running = await started([
    "--set",
    "mcp.server.allowed_hosts=box.lan",
    "--set",
    "mcp.server.allowed_origins=https://app.lan",
  ]);
  expect(await rawRequest(running.port, `GET /health HTTP/1.1\r\n${lines}\r\n\r\n`, hasBody)).toMatch(
    /^HTTP\/1\.1 200 /,
  );
});

test("unknown routes are 404 and wrong methods 405, in the envelope; nothing asks for OAuth", async () => {
  const running = await started();
  for (const path of ["/", "/nowhere", "/.well-known/oauth-protected-resource", "/mcp/", "/health/x"]) {
    expect(await request(running, path)).toMatchObject({ status: 404, body: envelope("NOT_FOUND") });
  }
  const headers = { authorization: `Bearer ${running.token}` };
  for (const [method, path, allowed] of [
    ["POST", "/health", "GET, HEAD"],
    ["GET", "/tool", "POST"],
    ["PUT", "/mcp", "POST, GET, DELETE"],
    ["OPTIONS", "/tool", "POST"],
  ] as const) {
    const reply = await request(running, path, { method, headers });
    expect(reply).toMatchObject({ status: 405, body: envelope("BAD_ARGS") });
    expect(reply.headers.get("allow")).toBe(allowed);
  }
});

test("each fault of a /tool body has its status", async () => {
  const running = await started();
  const cases: [body: unknown, status: number, message: RegExp, headers?: Record<string, string>][] = [
    ["{", 400, /not JSON/],
    ["", 400, /not JSON/],
    ["[]", 422, /must be an object/],
    [{ name: "health", args: {} }, 422, /session_id is missing/],
    [{ session_id: "", name: "health", args: {} }, 422, /session_id must be text/],
    [{ session_id: "s", args: {} }, 422, /name is missing/],
    [{ session_id: "s", name: "health" }, 422, /args is missing/],
    [{ session_id: "s", name: "health", args: [] }, 422, /args must be an object/],
    [{ ...health, sesion: 1 }, 422, /Unknown field "sesion"/],
    [{ ...health, args: { nope: 1 } }, 422, /nope/],
    [health, 415, /text\/plain/, { "content-type": "text/plain" }],
  ];
  for (const [body, status, message, headers] of cases) {
    const reply = await callTool(running, body, headers);
    expect(reply).toMatchObject({ status, body: { ...envelope("BAD_ARGS"), message: expect.stringMatching(message) } });
  }
});

test("an unknown tool is 422 BAD_ARGS and the hint names the nearest", async () => {
  const running = await started();
  expect(await callTool(running, { ...health, name: "linux.fs_raed" })).toMatchObject({
    status: 422,
    body: { ...envelope("BAD_ARGS"), hint: "Did you mean linux.fs_read?" },
  });
});

test("a correlation id that is well formed is kept in header and body, another is replaced", async () => {
  const running = await started();
  const kept = await callTool(running, health, { "x-correlation-id": "my.id-1" });
  expect(kept.headers.get("x-correlation-id")).toBe("my.id-1");
  expect(kept.body).toMatchObject({ meta: { correlation_id: "my.id-1" } });
  const replaced = await callTool(running, { ...health, name: "nope" }, { "x-correlation-id": "no spaces please" });
  const id = replaced.headers.get("x-correlation-id");
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(replaced.body).toMatchObject({ correlation_id: id });
});
