import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createBoundedServer, type ServerLimits } from "../src/server/server.js";

const PATIENT: ServerLimits = {
  maxHeaderBytes: 4096,
  headersMs: 60_000,
  requestMs: 60_000,
  keepAliveMs: 1000,
  maxConnections: 10,
};

async function answering(limits: ServerLimits, handled: () => void = () => {}): Promise<number> {
  const server = createBoundedServer(
    (request, response) => {
      handled();
      request.resume().on("end", () => response.end("ok"));
    },
    limits,
    null,
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends only this much, and gives what came back until the server hung up. */
async function slowly(port: number, part: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(part);
  let answer = "";
  for await (const chunk of socket.setEncoding("utf8")) answer += String(chunk);
  return answer;
}

test("a client that never finishes its headers is told so in the envelope and hung up on", async () => {
  let reached = 0;
  const port = await answering({ ...PATIENT, headersMs: 100 }, () => (reached += 1));
  const answer = await slowly(port, "GET / HTTP/1.1\r\nHost: localhost\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(JSON.parse(answer.slice(answer.indexOf("{")))).toEqual({
    code: "TIMEOUT",
    message: "The request did not arrive in time",
    correlation_id: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
  expect(reached).toBe(0);
});

test("a client that never finishes its body is hung up on", async () => {
  const port = await answering({ ...PATIENT, headersMs: 100, requestMs: 200 });
  const answer = await slowly(port, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345");
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});
