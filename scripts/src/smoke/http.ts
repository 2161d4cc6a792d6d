import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { NOTE, type Site } from "./install.js";

/** Starts `llmc-mcp-http`, asks `POST /tool` with the token it made, and gives the driver that served. */
export async function askHttp({ node, project, files, state }: Site): Promise<string> {
  const dataDir = `${state}-http`;
  const port = await freePort();
  const program = join(project, "node_modules/@llmc/mcp-http/dist/main.js");
  const server = execa(node, [program, "--root", files, "--port", String(port)], {
    env: { LLMC_DATA_DIR: dataDir },
    stdin: "ignore",
    stdout: "ignore",
    timeout: 60_000,
    reject: false,
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await Promise.race([
      listening(server.stderr, url),
      server.then(({ message, stderr }) => Promise.reject(new Error(message ?? `llmc-mcp-http ended: ${stderr}`))),
    ]);
    const tool = caller(url, readFileSync(join(dataDir, "token"), "utf8").trim());
    const { content } = (await tool("linux.fs_read", { path: join(files, "note.txt") })) as { content: string };
    if (content !== NOTE) throw new Error(`POST /tool read ${JSON.stringify(content)}`);
    const { driver } = (await tool("health", {})) as { driver: string };
    return driver;
  } finally {
    server.kill();
    await server;
  }
}

/** Waits for the line that names the address. The server prints it once it answers there. */
function listening(stderr: NodeJS.ReadableStream, url: string): Promise<void> {
  return new Promise((resolve) => {
    createInterface({ input: stderr }).on("line", (line) => {
      if (line.includes(url)) resolve();
    });
  });
}

function caller(url: string, token: string) {
  return async (name: string, args: object): Promise<unknown> => {
    const response = await fetch(`${url}/tool`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ session_id: "smoke", name, args }),
    });
    const body = (await response.json()) as { data?: unknown };
    if (!response.ok) throw new Error(`POST /tool ${name}: ${response.status} ${JSON.stringify(body)}`);
    return body.data;
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
