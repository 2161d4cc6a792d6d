import { join } from "node:path";
import { expect, test } from "vitest";
import { connectTo, freshPlace, INITIALIZE, initialize, runToEnd } from "./processes.js";

const isProtocol = (line: string) => (JSON.parse(line) as { jsonrpc?: unknown }).jsonrpc === "2.0";

test("a client initializes, lists the tools and reads a file", async () => {
  const { home, root } = await freshPlace();
  const client = connectTo({ home, args: ["--root", root] });
  expect((await initialize(client)).result).toMatchObject({
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
  });
  const tools = (await client.ask("tools/list")).result?.["tools"] as { name: string }[];
  expect(tools.map(({ name }) => name)).toContain("linux_fs_read");
  const read = await client.ask("tools/call", {
    name: "linux_fs_read",
    arguments: { path: join(root, "README.md") },
  });
  expect(JSON.stringify(read.result)).toContain("second line");
});

test("nothing but protocol is on stdout: what the process prints otherwise lands on stderr", async () => {
  const { home, root } = await freshPlace();
  // A module that writes as a careless dependency would, once the server is up and from then on.
  const noise = [
    'setInterval(() => { console.log("noise from console"); process.stdout.write("noise from stdout\\n"); }, 5).unref();',
    "globalThis.noisy = true;",
  ].join("");
  const node = ["--import", `data:text/javascript,${encodeURIComponent(noise)}`];
  const client = connectTo({ home, args: ["--root", root], node });
  await initialize(client);
  for (let call = 0; call < 20; call += 1) await client.ask("tools/list");
  while (!client.stderr().includes("noise from stdout")) await client.ask("ping");
  expect(client.stderr()).toContain("noise from console");
  // The first lines may come from before the guard stood: nothing was served then.
  const served = client.lines.slice(client.lines.findIndex((line) => line.startsWith("{")));
  expect(served.filter((line) => !isProtocol(line))).toEqual([]);
});

test("a thousand malformed frames are answered or skipped, and the server still answers", async () => {
  const { home, root } = await freshPlace();
  const client = connectTo({ home, args: ["--root", root] });
  await initialize(client);
  const junk = [
    "{",
    "[]",
    "null",
    "\u0000",
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"1.0","id":1,"method":"x"}',
    '"text"',
    '{"id":{}}',
  ];
  for (let index = 0; index < 1000; index += 1) client.send(`${junk[index % junk.length]}\n`);
  expect((await client.ask("ping")).result).toEqual({});
  expect(client.lines.filter((line) => !isProtocol(line))).toEqual([]);
});

test("a line of 20 MiB is refused, and the server still answers", async () => {
  const { home, root } = await freshPlace();
  const client = connectTo({ home, args: ["--root", root] });
  await initialize(client);
  const frame = { jsonrpc: "2.0", id: "big", method: "ping", params: { pad: "x".repeat(20 * 1024 * 1024) } };
  client.send(frame);
  expect((await client.ask("ping")).result).toEqual({});
  expect(client.lines.filter((line) => !isProtocol(line))).toEqual([]);
});

test("calls that are in the input when it ends are answered before the server ends", async () => {
  const { home, root } = await freshPlace();
  const frames = [
    INITIALIZE,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "linux_fs_read", arguments: { path: join(root, "README.md") } },
    },
  ];
  const input = frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
  const { code, stdout } = await runToEnd({ home, args: ["--root", root] }, input);
  expect(code).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: number }).id),
  ).toEqual([1, 2]);
});

test("a client that never reads stderr is served all the same", async () => {
  const { home, root } = await freshPlace();
  const client = connectTo({ home, args: ["--root", root] });
  client.child.stderr.pause();
  await initialize(client);
  const path = join(root, "README.md");
  const calls = Array.from({ length: 1500 }, () =>
    client.ask("tools/call", { name: "linux_fs_read", arguments: { path } }),
  );
  expect((await Promise.all(calls)).filter(({ error }) => error !== undefined)).toEqual([]);
  client.child.stdin.end();
  expect(await client.ended()).toBe(0);
});

const SECRET = "secret-secret-secret";

test("the start is one line on stderr without secrets, and a warning another line", async () => {
  const { home } = await freshPlace();
  const args = ["--root", "/", "--set", `mcp.auth.token=${SECRET}`, "--set", "mcp.tools.names=dotted"];
  const { stderr } = await runToEnd({ home, args });
  const [first, second, ...rest] = stderr.trimEnd().split("\n");
  expect(first).toMatch(/^llmc-mcp-stdio: \d+\.\d+\.\d+\S* · config none · data \S+\/llmc · roots \/ · /);
  expect(first?.split(" · ").slice(4)).toEqual(["mcp.auth.token = ***", 'mcp.tools.names = "dotted"']);
  expect(second).toMatch(/^llmc-mcp-stdio: the root "\/" opens the whole machine/);
  expect(rest).toEqual([]);
});

test("the whole configuration is a JSON line of the level debug, with the defaults that gave way", async () => {
  const { home } = await freshPlace();
  const settings = [
    "mcp.auth.token=" + SECRET,
    "observability.log_level=debug",
    "linux_ops.process_limits.max_timeout_sec=8",
  ];
  const args = settings.flatMap((each) => ["--set", each.startsWith("mcp.") ? each : `mcp.${each}`]);
  const { stderr } = await runToEnd({ home, args });
  const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.find(({ msg }) => msg === "configuration")).toMatchObject({
    config: { roots: [], mcp: { auth: { token: "***" }, tools: { exec_timeout: 8 } } },
  });
  expect(logged.map(({ msg }) => msg)).toContainEqual(
    expect.stringMatching(/^mcp\.tools\.exec_timeout is 8 instead of 30/),
  );
  expect(stderr).not.toContain(SECRET);
  expect(stderr).toMatch(/^llmc-mcp-stdio: no roots, so every path is refused; --root DIR opens one$/m);
});
