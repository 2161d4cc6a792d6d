import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { createHttpMcp } from "../../src/index.js";
import { createDemo, type DemoOptions } from "../demo.js";
import { later } from "../later.js";
import { site, type Site } from "./site.js";

async function start(options: DemoOptions = {}) {
  const demo = createDemo(options);
  const mcp = createHttpMcp(demo.options);
  return { demo, mcp, at: await site(mcp) };
}

async function connect({ url }: Site, name = "http client", prepare: (client: Client) => void = () => {}) {
  const client = new Client({ name, version: "1" }, { capabilities: { elicitation: {} } });
  prepare(client);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: "Bearer alice" } },
  });
  await client.connect(transport);
  return { client, transport };
}

test("the SDK's client lists and calls, in a session of its own under its token", async () => {
  const { demo, mcp, at } = await start();
  await using _ = at;
  const { client, transport } = await connect(at);
  expect((await client.listTools()).tools[0]?.name).toBe("linux_fs_read");
  expect(await client.callTool({ name: "linux_sys_snapshot" })).toMatchObject({ structuredContent: { host: "box" } });
  const id = transport.sessionId;
  expect(demo.contexts).toMatchObject([
    { entry: "http", session: { id, agentId: "http client", token: "alice", owner: `alice/${id}` } },
  ]);
  expect(demo.clients).toEqual([[{ name: "http client", version: "1" }, id]]);
  expect(mcp.sessions()).toBe(1);
  await transport.terminateSession();
  expect(mcp.sessions()).toBe(0);
});

test("two clients have two sessions, and neither sees the other's handles", async () => {
  const { demo, at } = await start();
  await using _ = at;
  const [one, two] = [await connect(at), await connect(at)];
  demo.handles.set(`alice/${one.transport.sessionId} H_1`, Buffer.from("mine"));
  const read = (client: Client) => client.readResource({ uri: "linuxops://handle/H_1" });
  expect(await read(one.client)).toMatchObject({ contents: [{ text: "mine" }] });
  await expect(read(two.client)).rejects.toMatchObject({ code: -32002, data: { code: "HANDLE_NOT_FOUND" } });
});

test("with scope = token all sessions of a token are one owner", async () => {
  const { demo, at } = await start({ mcp: { session: { scope: "token" } } });
  await using _ = at;
  const { client } = await connect(at);
  await client.callTool({ name: "linux_sys_snapshot" });
  expect(demo.contexts[0]?.session.owner).toBe("alice");
});

test("each client has names and shapes of its own", async () => {
  const { at } = await start({ mcp: { tools: { names: "auto" } } });
  await using _ = at;
  const read = { name: "linux_fs_read", arguments: { path: "/srv/data/a" } };
  const [desktop, own] = [await connect(at, "claude-code"), await connect(at, "my agent")];
  expect((await desktop.client.listTools()).tools[0]?.name).toBe("linux_fs_read");
  expect((await own.client.listTools()).tools[0]?.name).toBe("linux.fs_read");
  expect(await desktop.client.callTool(read)).not.toHaveProperty("structuredContent");
  expect(await own.client.callTool(read)).toHaveProperty("structuredContent");
});

test("progress and the question to a person come on the stream of their call", async () => {
  const { demo, at } = await start({ confirm: "auto", timing: { heartbeatMs: 1, progressGapMs: 0 } });
  await using _ = at;
  const { client } = await connect(at, "asks", (one) =>
    one.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: {} })),
  );
  expect(await client.callTool({ name: "linux_fs_delete", arguments: { path: "/a" } })).toMatchObject({
    structuredContent: { ok: true },
  });
  const beats = later();
  demo.onSlow = () => beats.promise;
  const seen: number[] = [];
  await client.callTool({ name: "linux_slow" }, undefined, {
    onprogress: ({ progress }) => {
      seen.push(progress);
      if (seen.length === 3) beats.resolve();
    },
  });
  expect(seen.length).toBeGreaterThanOrEqual(3);
});

test("a cancelled call ends its handler", async () => {
  const { demo, at } = await start();
  await using _ = at;
  const { client } = await connect(at);
  const started = later();
  const ended = later();
  demo.onSlow = ({ signal }) =>
    new Promise((_, reject) => {
      started.resolve();
      signal.addEventListener("abort", () => {
        ended.resolve();
        reject(signal.reason as Error);
      });
    });
  const cancel = new AbortController();
  const call = client.callTool({ name: "linux_slow" }, undefined, { signal: cancel.signal });
  await started.promise;
  cancel.abort("enough");
  await expect(call).rejects.toThrow("enough");
  await ended.promise;
});

test("the end of the server answers what is still running", async () => {
  const { demo, mcp, at } = await start();
  await using _ = at;
  const { client } = await connect(at);
  const started = later();
  const wait = demo.onSlow;
  demo.onSlow = (context) => {
    started.resolve();
    return wait(context);
  };
  const call = client.callTool({ name: "linux_slow" });
  await started.promise;
  await mcp.close();
  expect(await call).toMatchObject({ isError: true, structuredContent: { code: "CANCELLED" } });
  expect(mcp.sessions()).toBe(0);
});
