import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A bundle of the tests' own: whoever rebuilds dist/ meanwhile does not disturb them. */
export const MAIN = fileURLToPath(new URL("../.reports/bundle/main.js", import.meta.url));

export interface Place {
  readonly home: string;
  readonly root: string;
}

/** A home of its own and a root with a README, both gone after the test. */
export async function freshPlace(rootName = "root"): Promise<Place> {
  const home = await mkdtemp(join(tmpdir(), "llmc-http-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const root = await mkdtemp(join(home, rootName));
  await writeFile(join(root, "README.md"), "# Hello\n\nsecond line\n");
  return { home, root };
}

export interface Given {
  readonly home: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Leaves the port to the server; else any free one is asked for. */
  readonly defaultPort?: boolean;
}

/** Nothing of the environment that the tests run in. */
function environment({ home, env = {} }: Given): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: home, ...env };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the executable to its end. */
export async function runToEnd(given: Given): Promise<Ended> {
  const child = launch(given);
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([
    text(child, "stdout"),
    text(child, "stderr"),
    once(child, "close"),
  ]);
  return { code: code as number | null, stdout, stderr };
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly base: string;
  readonly port: number;
  readonly token: string;
  /** All that was on screen so far. */
  screen(): string;
  ended(): Promise<number | null>;
}

const READY = "ctrl-c ends it.";

/** Starts the server on a free port, and waits for what it says when it is ready. */
export async function startServer(given: Given): Promise<Running> {
  const args = given.args ?? [];
  const child = launch({ ...given, args: given.defaultPort ? args : ["--port", "0", ...args] });
  const ended = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let screen = "";
  child.stdout.resume();
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      screen += chunk;
      if (screen.includes(READY)) resolve();
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${screen}`)));
  });
  const base = /MCP +(\S+)\/mcp$/m.exec(screen)?.[1] ?? "";
  // Reads the token from its file, because a log does not contain it.
  const token = await readFile(join(given.home, ".local/state/llmc/token"), "utf8").catch(() => "");
  return {
    child,
    base,
    port: Number(new URL(base).port),
    token: token.trim(),
    screen: () => screen,
    ended: () => ended,
  };
}

function launch(given: Given): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MAIN, ...(given.args ?? [])], {
    cwd: given.cwd ?? given.home,
    env: environment(given),
  });
}

async function text(child: ChildProcessWithoutNullStreams, stream: "stdout" | "stderr"): Promise<string> {
  let all = "";
  for await (const chunk of child[stream].setEncoding("utf8")) all += String(chunk);
  return all;
}

/** Sends bytes as they are and reads until the server closes or `enough` is satisfied. */
export function rawRequest(
  port: number,
  bytes: string,
  enough: (answer: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let answer = "";
    const finish = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      answer += chunk;
      if (enough(answer)) finish();
    });
    socket.on("end", finish);
    socket.on("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? finish() : reject(error)));
  });
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export async function request(running: Running, path: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(`${running.base}${path}`, init);
  const written = await response.text();
  return { status: response.status, body: written === "" ? null : JSON.parse(written), headers: response.headers };
}

/** `POST /tool` with the token. */
export function callTool(running: Running, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return request(running, "/tool", {
    method: "POST",
    headers: { authorization: `Bearer ${running.token}`, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}
