import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDemo, type Demo } from "../demo.js";
import { call, INITIALIZE, request, serve, type Peer } from "./peer.js";

const any = expect.any(String) as unknown;
let demo: Demo;
let peer: Peer;

beforeEach(async () => {
  demo = createDemo({ mcp: { limits: { max_stdio_bytes: 64 * 1024 } } });
  peer = serve(demo);
  peer.write(INITIALIZE);
  expect(await peer.next()).toMatchObject({ id: 1, result: { protocolVersion: "2025-03-26" } });
});

afterEach(async () => {
  peer.stdin.end();
  await peer.ended;
  expect(await peer.rest()).toEqual([]);
});

async function stillAnswers() {
  peer.write(call("alive", "linux_sys_snapshot"));
  expect(await peer.next()).toMatchObject({ id: "alive", result: { structuredContent: { host: "box" } } });
}

const BROKEN: [string, string | Buffer, number][] = [
  ["half a message", '{"jsonrpc":', -32700],
  ["no JSON at all", "hello", -32700],
  ["NUL bytes", "\0\0\0", -32700],
  ["a NUL inside", `{"jsonrpc":"2.0","id":5,"method":"pi\0ng"}`, -32700],
  ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), -32700],
  ["a number", "42", -32600],
  ["null", "null", -32600],
  ["an empty batch", "[]", -32600],
  [
    "a batch of 101",
    `[${Array.from({ length: 101 }, () => '{"jsonrpc":"2.0","id":1,"method":"ping"}').join(",")}]`,
    -32600,
  ],
  ["deep nesting that is no message", `${"[".repeat(30_000)}${"]".repeat(30_000)}`, -32600],
  ["deep nesting that has no end", "[".repeat(60_000), -32700],
  ["another protocol", '{"jsonrpc":"1.0","method":"ping"}', -32600],
];

describe("a line with", () => {
  test.each(BROKEN)("%s is answered once, and the next good one is served", async (_, line, code) => {
    peer.write(line);
    expect(await peer.next()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code, message: any, data: { code: "BAD_ARGS", message: any, hint: any, correlation_id: any } },
    });
    await stillAnswers();
  });

  test("a method that is no text is refused under its own id", async () => {
    peer.write('{"jsonrpc":"2.0","id":"x1","method":7}');
    expect(await peer.next()).toMatchObject({ id: "x1", error: { code: -32600, data: { code: "BAD_ARGS" } } });
    await stillAnswers();
  });

  test("bytes that are no text in an argument is refused: they would reach the tool changed", async () => {
    const [head = "", tail = ""] = call(2, "linux_fs_read", { path: "/srv/data/@" }).split("@");
    peer.write(Buffer.concat([Buffer.from(head), Buffer.from([0xe9]), Buffer.from(tail)]));
    expect(await peer.next()).toMatchObject({ id: null, error: { code: -32700 } });
    expect(demo.records).toEqual([]);
    await stillAnswers();
  });

  test("deeply nested arguments ends in an answer of its own", async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
    peer.write(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"linux_fs_read","arguments":${deep}}}`);
    expect(await peer.next()).toMatchObject({ id: 2, result: { isError: true } });
    await stillAnswers();
  });

  test("nothing in it is nothing", async () => {
    peer.write("", "   ", "\r");
    await stillAnswers();
  });

  test("a carriage return at its end is a line like any other", async () => {
    peer.write(`${request(9, "ping")}\r`);
    expect(await peer.next()).toEqual({ jsonrpc: "2.0", id: 9, result: {} });
  });

  test("more than the bound is answered once, at once, and skipped to its newline", async () => {
    peer.stdin.write(`{"jsonrpc":"2.0","id":3,"method":"${"x".repeat(20 * 64 * 1024)}`);
    expect(await peer.next()).toEqual({
      jsonrpc: "2.0",
      id: 3,
      error: {
        code: -32600,
        message: any,
        data: {
          code: "TOO_LARGE",
          message: "The line is longer than 65536 bytes",
          hint: "Send less at once, or raise mcp.limits.max_stdio_bytes.",
          correlation_id: any,
        },
      },
    });
    peer.write('"}');
    await stillAnswers();
  });
});

test("a thousand malformed lines are answered with a thousand errors, and the server lives", async () => {
  const lines = Array.from({ length: 1000 }, (_, index) => BROKEN[index % BROKEN.length]?.[1] ?? "");
  peer.write(...lines);
  const codes: unknown[] = [];
  for (const _ of lines) codes.push(((await peer.next()) as { error: { code: number } }).error.code);
  expect(codes).toEqual(lines.map((_, index) => BROKEN[index % BROKEN.length]?.[2]));
  await stillAnswers();
});

describe("a batch", () => {
  test("is answered by a batch, its notifications and broken members apart", async () => {
    peer.write(
      `[${request("a", "ping")},{"jsonrpc":"2.0","method":"notifications/initialized"},7,${call("b", "plain")}]`,
    );
    expect(await peer.next()).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await peer.next()).toEqual([
      { jsonrpc: "2.0", id: "a", result: {} },
      {
        jsonrpc: "2.0",
        id: "b",
        result: { content: [{ type: "text", text: '{"ok":true}' }], structuredContent: { ok: true } },
      },
    ]);
    await stillAnswers();
  });

  test("of notifications alone is not answered", async () => {
    peer.write('[{"jsonrpc":"2.0","method":"notifications/initialized"}]');
    await stillAnswers();
  });

  test("does not wait for a member that was cancelled", async () => {
    let started = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const wait = demo.onSlow;
    demo.onSlow = (context) => {
      started();
      return wait(context);
    };
    peer.write(`[${request("a", "ping")},${call("b", "linux_slow")}]`);
    await running;
    peer.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b"}}');
    expect(await peer.next()).toEqual([{ jsonrpc: "2.0", id: "a", result: {} }]);
    await stillAnswers();
  });
});
