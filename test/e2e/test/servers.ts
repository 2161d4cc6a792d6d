import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinuxOps, type LinuxOps } from "@llmc/linux-ops";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { test as base } from "vitest";

const apps = join(import.meta.dirname, "../../../apps");
export const STDIO_MAIN = join(apps, "mcp-stdio/dist/main.js");
export const HTTP_MAIN = join(apps, "mcp-http/dist/main.js");
export const TOKEN = "e2e-token-of-more-than-sixteen-characters";

/** Only what a fresh machine has: the person's own settings must not decide a test. */
export function cleanEnv(home: string, more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, ...more };
}

export interface HttpServer {
  readonly url: string;
  readonly child: ChildProcess;
  readonly stderr: () => string;
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  stop(): Promise<number | null>;
}

/** Tests call faster than an agent does; those about the limits set their own. */
const UNTHROTTLED = ["--set", "mcp.limits.rate_limit_rps=100000", "--set", "mcp.limits.rate_limit_burst=100000"];

export async function startHttp(
  root: string,
  home: string,
  args: readonly string[] = [],
  under: readonly string[] = [],
  program: readonly string[] = [HTTP_MAIN],
): Promise<HttpServer> {
  const [command, ...rest] = [
    ...under,
    process.execPath,
    ...program,
    "--root",
    root,
    "--port",
    "0",
    ...UNTHROTTLED,
    ...args,
  ];
  const child = spawn(command as string, rest, {
    env: cleanEnv(home, { LLMC_MCP_TOKEN: TOKEN }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
      const match = /(http:\/\/127\.0\.0\.1:\d+)\/mcp/.exec(stderr);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    void exited.then((code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    child,
    stderr: () => stderr,
    async post(path, body, headers = {}) {
      const answer = await fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}`, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    async stop() {
      child.kill("SIGTERM");
      return exited;
    },
  };
}

export async function connectHttp(server: HttpServer, name = "e2e"): Promise<Client> {
  const client = new Client({ name, version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  return client;
}

export interface StdioServer {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  readonly stderr: () => string;
}

export async function connectStdio(
  root: string,
  home: string,
  name = "e2e",
  args: readonly string[] = [],
  under: readonly string[] = [],
  program: readonly string[] = [STDIO_MAIN],
): Promise<StdioServer> {
  const [command, ...rest] = [...under, process.execPath, ...program, "--root", root, ...args];
  const transport = new StdioClientTransport({
    command: command as string,
    args: rest,
    env: cleanEnv(home),
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client({ name, version: "1" });
  await client.connect(transport);
  return { client, transport, stderr: () => stderr };
}

export interface Fixtures {
  /** A fresh folder: the only root. */
  readonly root: string;
  /** A fresh home, where the data dir is. */
  readonly home: string;
  readonly http: HttpServer;
  readonly stdio: StdioServer;
  readonly library: LinuxOps;
}

function freshFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "llmc-e2e-")));
}

export const test = base.extend<Fixtures>({
  root: async ({}, use) => {
    const folder = freshFolder();
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  home: async ({}, use) => {
    const folder = freshFolder();
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  http: async ({ root, home }, use) => {
    const server = await startHttp(root, home);
    await use(server);
    await server.stop();
  },
  stdio: async ({ root, home }, use) => {
    const server = await connectStdio(root, home);
    await use(server);
    await server.client.close();
  },
  library: async ({ root }, use) => {
    const ops = createLinuxOps({ roots: [root] });
    await use(ops);
    await ops.close();
  },
});

export function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("");
}
