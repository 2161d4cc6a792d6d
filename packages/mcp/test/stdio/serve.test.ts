import { setImmediate as nextTurn } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createDemo, untilAborted, type Demo, type DemoOptions } from "../demo.js";
import { later } from "../later.js";
import { call, INITIALIZE, request, serve, type Answer } from "./peer.js";

/** A server whose slow tool has been started; `started` tells. */
function withSlow(options: DemoOptions = {}, onSlow: Demo["onSlow"] = untilAborted) {
  const demo = createDemo(options);
  const started = later();
  demo.onSlow = async (context) => {
    started.resolve();
    await onSlow(context);
  };
  return { demo, started: started.promise };
}

const idsOf = (answers: readonly unknown[]) => answers.map((answer) => (answer as Answer).id);

describe("a client of the SDK", () => {
  test("is served over two pipes, under one session id for the whole process", async () => {
    const demo = createDemo();
    const peer = serve(demo);
    const client = new Client({ name: "pipes", version: "1" });
    await client.connect(new StdioServerTransport(peer.stdout, peer.stdin));
    expect((await client.listTools()).tools.length).toBe(5);
    for (const name of ["linux_sys_snapshot", "linux.sys_snapshot"]) await client.callTool({ name });
    const [first, second] = demo.contexts;
    expect(first?.session).toEqual({
      id: demo.clients[0]?.[1],
      agentId: "pipes",
      model: "unknown",
      client: "pipes",
      token: "local",
      owner: "user:7",
    });
    expect([first?.entry, second?.session]).toEqual(["stdio", first?.session]);
    peer.stdin.end();
    await peer.ended;
  });
});

describe("the end of stdin", () => {
  test("leaves calls that are nearly done time to answer: a script piped in is served", async () => {
    const demo = createDemo();
    const peer = serve(demo);
    peer.stdin.end(`${INITIALIZE}\n${request(2, "tools/list")}\n${call(3, "linux_sys_snapshot")}\n`);
    await peer.ended;
    expect(new Set(idsOf(await peer.rest()))).toEqual(new Set([1, 2, 3]));
  });

  test("waits for a call that ends soon after it", async () => {
    const gone = later();
    const { demo, started } = withSlow({ timing: { drainMs: 2 ** 30 } }, (context) =>
      Promise.race([gone.promise, untilAborted(context)]),
    );
    const peer = serve(demo);
    peer.write(INITIALIZE, call(2, "linux_slow"));
    await started;
    peer.stdin.on("close", () => setImmediate(gone.resolve));
    peer.stdin.end();
    await peer.ended;
    expect(await peer.rest()).toMatchObject([{ id: 1 }, { id: 2, result: { structuredContent: { done: true } } }]);
  });

  test("cancels what still runs after that, and resolves when it has ended", async () => {
    const { demo, started } = withSlow({ timing: { drainMs: 1 } });
    const peer = serve(demo);
    peer.write(INITIALIZE, call(2, "linux_slow"));
    await started;
    peer.stdin.end();
    await peer.ended;
    expect(demo.records).toMatchObject([{ tool: "linux.slow", status: "CANCELLED" }]);
    expect(await peer.rest()).toMatchObject([
      { id: 1 },
      { id: 2, result: { structuredContent: { code: "CANCELLED" } } },
    ]);
  });

  test("does not wait for ever for a handler that ignores its cancellation", async () => {
    const { demo, started } = withSlow({ timing: { drainMs: 1, graceMs: 1 } }, () => new Promise(() => {}));
    const peer = serve(demo);
    peer.write(INITIALIZE, call(2, "linux_slow"));
    await started;
    peer.stdin.end();
    await peer.ended;
    expect(idsOf(await peer.rest())).toEqual([1]);
  });

  test("by a broken pipe is an end like any other", async () => {
    const peer = serve(createDemo());
    peer.write(INITIALIZE);
    await peer.next();
    peer.stdin.destroy(new Error("EIO"));
    await peer.ended;
  });

  test("in the middle of a line leaves that line alone", async () => {
    const peer = serve(createDemo());
    peer.write(INITIALIZE);
    peer.stdin.end(request(2, "ping").slice(0, -5));
    await peer.ended;
    expect(idsOf(await peer.rest())).toEqual([1]);
  });
});

describe("the signal", () => {
  test("ends the server at once, and a running call is still answered", async () => {
    const { demo, started } = withSlow({ timing: { drainMs: 2 ** 30 } });
    const peer = serve(demo);
    peer.write(INITIALIZE, call(2, "linux_slow"));
    await started;
    peer.stop.abort();
    await peer.ended;
    expect(await peer.rest()).toMatchObject([
      { id: 1 },
      { id: 2, result: { structuredContent: { code: "CANCELLED" } } },
    ]);
    expect(peer.stdin.destroyed).toBe(true);
  });

  test("that came before the start ends it too", async () => {
    const demo = createDemo();
    const { serveStdio } = await import("../../src/index.js");
    const stdin = new PassThrough();
    await serveStdio({
      ...demo.options,
      stdin,
      stdout: new PassThrough(),
      owner: "user:7",
      signal: AbortSignal.abort(),
    });
    expect(stdin.destroyed).toBe(true);
  });
});

describe("stdout", () => {
  test("that nobody reads any more ends the server quietly, and what runs with it", async () => {
    const { demo, started } = withSlow({ timing: { drainMs: 2 ** 30 } });
    const peer = serve(demo);
    peer.write(INITIALIZE, call(2, "linux_slow"));
    await started;
    peer.stdout.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await peer.ended;
    expect(demo.records).toMatchObject([{ tool: "linux.slow", status: "CANCELLED" }]);
  });

  test("that fills up stops the reading of stdin, and nothing is lost", async () => {
    const demo = createDemo({ mcp: { limits: { max_stdio_bytes: 64 * 1024 } } });
    // An answer carries the path four times.
    const path = `/srv/data/${"x".repeat(8_000)}`;
    const stdout = new PassThrough({ highWaterMark: 1024 });
    const stdin = new PassThrough({ highWaterMark: 1024 });
    const { serveStdio } = await import("../../src/index.js");
    const ended = serveStdio({ ...demo.options, stdin, stdout, owner: "user:7" });
    stdin.write(`${INITIALIZE}\n`);
    const ids = Array.from({ length: 300 }, (_, index) => index + 2);
    const sending = (async () => {
      for (const id of ids) {
        if (!stdin.write(`${call(id, "linux_fs_read", { path })}\n`)) {
          await new Promise<void>((resolve) => stdin.once("drain", () => resolve()));
        }
      }
      stdin.end();
      return "all sent";
    })();

    let quiet = 0;
    for (let known = -1; quiet < 50; quiet = stdout.writableLength === known ? quiet + 1 : 0) {
      known = stdout.writableLength;
      await nextTurn();
    }
    expect(await Promise.race([sending, Promise.resolve("held back")])).toBe("held back");
    expect(stdout.writableLength).toBeLessThan(64 * 1024 + 30 * 40_000);

    const read: Answer[] = [];
    const reading = (async () => {
      let rest = "";
      for await (const chunk of stdout.setEncoding("utf8")) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        read.push(...lines.map((line) => JSON.parse(line) as Answer));
      }
    })();
    await ended;
    stdout.end();
    await reading;
    expect(idsOf(read).toSorted((a, b) => Number(a) - Number(b))).toEqual([1, ...ids]);
  });
});
