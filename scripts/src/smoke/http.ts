import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { NOTE, type Site } from "./install.js";

/** Starts `llmc-mcp-http`, asks `POST /tool` with the token it made, and gives the driver that served. */
export async function askHttp({ node, project, files, state }: Site): Promise<string> {
  const dataDir = `${state}-http`;
  const port = await freePort();
  const program = join(project, "node_modules/@llmc/mcp-http/dist/main.js");
  const child = spawn(node, [program, "--root", files, "--port", String(port)], {
    env: { ...process.env, LLMC_DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 60_000,
  });
  const ended = once(child, "exit");
  try {
    const url = `http://127.0.0.1:${port}`;
    await Promise.race([
      listening(child.stderr, url),
      ended.then(() => Promise.reject(new Error("llmc-mcp-http ended at once"))),
    ]);
    const tool = caller(url, readFileSync(join(dataDir, "token"), "utf8").trim());
    const { content } = (await tool("linux.fs_read", { path: join(files, "note.txt") })) as { content: string };
    if (content !== NOTE) throw new Error(`POST /tool read ${JSON.stringify(content)}`);
    const { driver } = (await tool("health", {})) as { driver: string };
    return driver;
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

// What it prints for a newcomer names the address once it answers there.
async function listening(stderr: NodeJS.ReadableStream, url: string): Promise<void> {
  const seen: string[] = [];
  const lines = createInterface({ input: stderr });
  const named = new Promise<void>((resolve) => {
    lines.on("line", (line) => {
      seen.push(line);
      if (line.includes(url)) resolve();
    });
  });
  await Promise.race([named, once(lines, "close").then(() => Promise.reject(new Error(seen.join("\n"))))]);
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
