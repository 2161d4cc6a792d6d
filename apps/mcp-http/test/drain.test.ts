import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { drainable } from "../src/server/drain.js";

const NO_CALLS = { finished: () => Promise.resolve(), cancelled: () => Promise.resolve() };
/** So long that whoever waits for it fails. */
const NEVER_MS = 3_600_000;

async function serving() {
  const waiting: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: NEVER_MS }, (_, response) => {
    waiting.push(response);
    server.emit("waiting");
  });
  const drain = drainable(server, NEVER_MS);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, drain, port, waiting };
}

test("a connection that carried no request yet does not hold the end up", async () => {
  const { server, drain, port } = await serving();
  const socket = connect(port, "127.0.0.1");
  await Promise.all([once(server, "connection"), once(socket, "connect")]);
  socket.resume();
  await drain(NO_CALLS);
  expect(server.listening).toBe(false);
});

test("a call in flight gets its answer, and then its connection is closed although it would be kept", async () => {
  const { server, drain, port, waiting } = await serving();
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(server, "waiting");
  const drained = drain(NO_CALLS);
  waiting[0]?.end("done");
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  await drained;
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*done/);
});
