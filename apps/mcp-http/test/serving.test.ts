import { execFile, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { get as httpsGet } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { callTool, freshPlace, rawRequest, request, startServer, type Running } from "./processes.js";

const started = async (args: readonly string[] = []) => {
  const place = await freshPlace();
  return { ...place, running: await startServer({ home: place.home, args: ["--root", place.root, ...args] }) };
};

const mcpHeaders = ({ token }: Running, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  ...more,
});

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

async function openSession(running: Running): Promise<Record<string, string>> {
  const init = { method: "POST", headers: mcpHeaders(running), body: JSON.stringify(INITIALIZE) };
  const response = await fetch(`${running.base}/mcp`, init);
  await response.text();
  const headers = mcpHeaders(running, {
    "mcp-session-id": response.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-06-18",
  });
  const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
  expect((await fetch(`${running.base}/mcp`, { method: "POST", headers, body })).status).toBe(202);
  return headers;
}

test("an MCP session over HTTP reads what POST /tool reads", async () => {
  const { running, root } = await started();
  const headers = { ...(await openSession(running)), "x-correlation-id": "from-the-client" };
  const args = { path: join(root, "README.md") };
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "linux_fs_read", arguments: args } };
  const response = await fetch(`${running.base}/mcp`, { method: "POST", headers, body: JSON.stringify(call) });
  expect(response.headers.get("x-correlation-id")).toBe("from-the-client");
  const answer = await response.text();
  const frame = JSON.parse(/^data: (\{.*)$/m.exec(answer)?.[1] ?? answer) as { result: { structuredContent: object } };
  const { body } = await callTool(running, { session_id: "s", name: "linux.fs_read", args });
  const rest = (body as { data: { content: string } }).data;
  expect(rest.content).toBe("# Hello\n\nsecond line\n");
  expect(frame.result.structuredContent).toMatchObject({ content: rest.content });
});

test("a client that asks for it has its connection closed after an answer of /mcp", async () => {
  const { running } = await started();
  const body = JSON.stringify(INITIALIZE);
  const headers = Object.entries(mcpHeaders(running, { host: "127.0.0.1", connection: "close" }));
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  // Read to its end: it would never come.
  const answer = await rawRequest(
    running.port,
    `POST /mcp HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
});

test("a client that goes away in the middle of its body is no fault of the server's", async () => {
  const { running } = await started();
  const socket = connect(running.port, "127.0.0.1");
  const head = Object.entries(mcpHeaders(running, { host: "127.0.0.1", "x-correlation-id": "gone-1" }));
  socket.write(
    `POST /tool HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}content-length: 99\r\n\r\n{`,
  );
  // Answered after it: the request above has reached the server by then.
  await callTool(running, { session_id: "s", name: "health", args: {} });
  socket.destroy();
  await expect
    .poll(
      () =>
        running
          .screen()
          .split("\n")
          .find((line) => line.includes("gone-1")) ?? "",
    )
    .toContain('"CANCELLED"');
  expect(running.screen()).not.toContain('"level":"error"');
});

test.each(["SIGTERM", "SIGINT"] as const)("%s ends it with 0, even while event streams are open", async (signal) => {
  const { running } = await started();
  const headers = await openSession(running);
  const stream = await fetch(`${running.base}/mcp`, { headers: { ...headers, accept: "text/event-stream" } });
  expect(stream.status).toBe(200);
  const rest = stream.text().catch(() => "cut");
  running.child.kill(signal);
  expect(await running.ended()).toBe(0);
  await rest;
});

test("SIGTERM lets a call finish, and cancels and answers one that takes long, over REST and MCP", async () => {
  const { running, root } = await started();
  const headers = await openSession(running);
  const run = (command: string) => callTool(running, { session_id: "s", name: "te_run", args: { command } });
  const quick = run("touch quick; while [ ! -e go ]; do sleep 0.05; done; echo done");
  const long = run("touch long; sleep 60");
  const asked = { jsonrpc: "2.0", id: 7, method: "tools/call" };
  const params = { name: "te_run", arguments: { command: "touch mcp; sleep 60" } };
  const overMcp = fetch(`${running.base}/mcp`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...asked, params }),
  });
  await vi.waitFor(
    () => expect(["quick", "long", "mcp"].every((name) => existsSync(join(root, name)))).toBe(true),
    20_000,
  );
  running.child.kill("SIGTERM");
  writeFileSync(join(root, "go"), "");
  expect(await quick).toMatchObject({ status: 200, body: { data: { stdout: "done\n" } } });
  expect((await long).body).toMatchObject({ code: "CANCELLED", correlation_id: expect.any(String) });
  expect(await (await overMcp).text()).toContain("cancelled");
  expect(await running.ended()).toBe(0);
});

test("a second signal ends it at once", async () => {
  const { running } = await started();
  // A request that never ends keeps the first signal's orderly end waiting.
  const headers = await openSession(running);
  void fetch(`${running.base}/mcp`, { headers: { ...headers, accept: "text/event-stream" } }).catch(() => {});
  running.child.kill("SIGTERM");
  running.child.kill("SIGTERM");
  expect([0, 130]).toContain(await running.ended());
});

test("auth.mode = none serves loopback without a token, and says no token", async () => {
  const { running } = await started(["--set", "mcp.auth.mode=none", "--set", "mcp.auth.allow_unauthenticated=true"]);
  expect(running.screen()).not.toMatch(/^ +Token|Bearer/m);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ session_id: "s", name: "health", args: {} });
  expect((await request(running, "/tool", { method: "POST", headers, body })).status).toBe(200);
});

test("the token is in no log line", async () => {
  const { running } = await started();
  await callTool(running, { session_id: running.token, name: "health", args: {} });
  await callTool(running, { session_id: "s", name: running.token, args: { token: running.token } });
  const logged = running
    .screen()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  expect(logged.length).toBeGreaterThan(1);
  expect(logged.join("\n")).not.toContain(running.token);
});

const openssl = spawnSync("openssl", ["version"]).status === 0;

test.skipIf(!openssl)("with a certificate it serves HTTPS (skipped without openssl)", async () => {
  const { home, root } = await freshPlace();
  const [cert, key] = [join(home, "cert.pem"), join(home, "key.pem")];
  const ask = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"];
  await promisify(execFile)("openssl", [
    ...ask,
    "-addext",
    "subjectAltName=IP:127.0.0.1",
    "-keyout",
    key,
    "-out",
    cert,
  ]);
  const tls = ["tls_enabled=true", `tls_cert=${cert}`, `tls_key=${key}`].flatMap((pair) => [
    "--set",
    `mcp.server.${pair}`,
  ]);
  const running = await startServer({ home, args: ["--root", root, ...tls] });
  expect(running.base).toMatch(/^https:/);
  const ca = await readFile(cert);
  const body = await new Promise<string>((resolve, reject) => {
    httpsGet(`${running.base}/health`, { ca }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(text));
    }).on("error", reject);
  });
  expect(JSON.parse(body)).toEqual({ ok: true, version: "v0" });
  const curl = running.screen().match(/^ +(curl .*)$/m)?.[1] ?? "";
  const { stdout } = await promisify(execFile)("sh", ["-c", curl]);
  expect(JSON.parse(stdout)).toMatchObject({ data: { content: "# Hello\n\nsecond line\n" } });
});
