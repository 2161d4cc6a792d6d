import { join } from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { NOTE, type Site } from "./install.js";

type Answer = { readonly result?: { readonly structuredContent?: unknown; readonly content?: unknown } };

/** Talks to `llmc-mcp-stdio` line by line, without any SDK, and gives the driver that served. */
export async function askStdio({ node, project, files, state }: Site): Promise<string> {
  const program = join(project, "node_modules/@llmc/mcp-stdio/dist/main.js");
  const server = execa(node, [program, "--root", files], {
    env: { LLMC_DATA_DIR: `${state}-stdio`, LLMC_MCP__OBSERVABILITY__LOG_LEVEL: "error" },
    stderr: "inherit",
    timeout: 60_000,
    reject: false,
  });
  const ask = asker(server.stdin, server.stdout);
  const clientInfo = { name: "smoke", version: "0" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  const read = await ask("tools/call", { name: "linux_fs_read", arguments: { path: join(files, "note.txt") } });
  if (!JSON.stringify(read).includes(JSON.stringify(NOTE).slice(1, -1)))
    throw new Error(`stdio answered ${JSON.stringify(read)}`);
  const health = await ask("tools/call", { name: "health", arguments: {} });
  server.stdin.end();
  const { failed, message } = await server;
  if (failed) throw new Error(`llmc-mcp-stdio did not end well when its input closed: ${message}`);
  return driverIn(health);
}

function asker(stdin: NodeJS.WritableStream, stdout: NodeJS.ReadableStream) {
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let id = 0;
  return async (method: string, params: object): Promise<Answer> => {
    id += 1;
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`llmc-mcp-stdio ended before it answered ${method}`);
      const message = JSON.parse(value) as Answer & { id?: number; error?: unknown };
      if (message.error !== undefined) throw new Error(`${method}: ${JSON.stringify(message.error)}`);
      if (message.id === id) return message;
    }
  };
}

function driverIn({ result }: Answer): string {
  const { driver } = (result?.structuredContent ?? {}) as { driver?: string };
  if (driver === undefined) throw new Error(`health answered ${JSON.stringify(result)}`);
  return driver;
}
