import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "../../report/row.js";
import { NOOP } from "../../workloads/noop-name.js";
import type { Group } from "../context.js";
import { openLoad, type Load, type Request } from "../http-load.js";
import { interleave, type Contender } from "../interleave.js";
import { startChild } from "../lines.js";
import { compare } from "../rows.js";
import { OURS, type Places } from "../servers.js";

const GROUP = "HTTP";
const CONNECTIONS = 16;
const FLOOD = 1_500;
const ROUNDS = 12;
const PACES = [
  { perSecond: 10, count: 30 },
  { perSecond: 1_000, count: 3_000 },
];

const HONO_GET = "bare hono, `GET /health`";
const HONO_POST = "bare hono, `POST /tool`";
const OURS_TOOL = `${OURS}, \`POST /tool\``;
const OURS_MCP = `${OURS}, \`POST /mcp\``;

/** Requests a second over 16 kept connections, on loopback. */
export const http: Group = async ({ places, rounds, files }) => {
  const { small } = await files();
  const token = randomUUID();
  await using hono = await openServer(places, "hono-server", []);
  await using ours = await openServer(places, "http-server", [places.files, token]);
  const auth = { Authorization: `Bearer ${token}` };
  const mcp = await openSession(ours, auth);
  const tool = (name: string, args: object): Request => ({
    method: "POST",
    path: "/tool",
    headers: auth,
    body: { session_id: "bench", name, args },
  });
  const health: Request = { method: "GET", path: "/health" };
  const how = { warmup: 2, rounds: rounds(ROUNDS) };
  const readArgs = { path: small, max_lines: 200 };

  const rows: Row[] = [];
  const nothing = await interleave(
    [
      flood(HONO_GET, hono, health),
      flood(HONO_POST, hono, tool(NOOP, {})),
      flood(`${OURS}, \`GET /health\``, ours, health),
      flood(OURS_TOOL, ours, tool(NOOP, {})),
      flood(OURS_MCP, ours, mcp(NOOP, {})),
    ],
    how,
  );
  rows.push(
    ...compare({
      group: GROUP,
      case: "a call that does nothing",
      unit: "requests/s",
      outcomes: nothing,
      base: HONO_GET,
      goals: { [OURS_TOOL]: { of: "ratio", atLeast: 0.5 } },
    }),
  );
  const reading = await interleave(
    [flood(OURS_TOOL, ours, tool("linux.fs_read", readArgs)), flood(OURS_MCP, ours, mcp("linux.fs_read", readArgs))],
    how,
  );
  const name = "`fs_read` of 200 lines of 2 MB";
  rows.push(...compare({ group: GROUP, case: name, unit: "requests/s", outcomes: reading }));
  for (const { perSecond, count } of PACES) {
    const paced = { subject: OURS_TOOL, once: () => ours.paced(tool(NOOP, {}), perSecond, count) };
    rows.push(
      ...compare({
        group: GROUP,
        case: `a call that does nothing, ${perSecond.toLocaleString("en-US")} a second`,
        unit: "ms",
        outcomes: await interleave([paced], { warmup: 0, rounds: 1 }),
        goals: { [OURS_TOOL]: { of: "p95", atMost: 15 } },
      }),
    );
  }
  return rows;
};

function flood(subject: string, load: Load, request: Parameters<Load["flood"]>[0]): Contender {
  return { subject, once: () => load.flood(request, FLOOD) };
}

async function openServer({ work, build }: Places, name: string, args: readonly string[]): Promise<Load> {
  const home = mkdtempSync(join(work, "home-"));
  const child = startChild({
    file: process.execPath,
    args: [join(build, name, "main.js"), ...args],
    cwd: home,
    env: { HOME: home, TMPDIR: home, PATH: "/usr/bin:/bin" },
  });
  // It says its port unasked, as the answer to a question with the id 0.
  const { result } = await child.ask({ id: 0 });
  const load = await openLoad((result as { readonly port: number }).port, CONNECTIONS);
  return {
    ...load,
    [Symbol.asyncDispose]: async () => {
      await load[Symbol.asyncDispose]();
      await child.end();
    },
  };
}

type ToolCall = (name: string, args: object) => (id: number) => Request;

async function openSession(load: Load, auth: Readonly<Record<string, string>>): Promise<ToolCall> {
  const headers = { ...auth, Accept: "application/json, text/event-stream" };
  const post = (more: object, body: object): Request => ({
    method: "POST",
    path: "/mcp",
    headers: { ...headers, ...more },
    body: { jsonrpc: "2.0", ...body },
  });
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "0" } };
  const opened = await load.send(post({}, { id: 0, method: "initialize", params }));
  const id = /\r\nmcp-session-id: *(\S+)/.exec(opened.headers)?.[1] ?? "";
  const session = { "Mcp-Session-Id": id, "MCP-Protocol-Version": "2025-06-18" };
  await load.send(post(session, { method: "notifications/initialized" }));
  return (name, args) => (id) => post(session, { id, method: "tools/call", params: { name, arguments: args } });
}
