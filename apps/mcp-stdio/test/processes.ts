import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
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
export async function freshPlace(): Promise<Place> {
  const home = await mkdtemp(join(tmpdir(), "llmc-stdio-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const root = await mkdtemp(join(home, "root"));
  await writeFile(join(root, "README.md"), "# Hello\n\nsecond line\n");
  return { home, root };
}

export interface Given {
  readonly home: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of node itself. */
  readonly node?: readonly string[];
}

export function launch({ home, args = [], env = {}, node = [] }: Given): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...node, MAIN, ...args], { cwd: home, env: surroundings(home, env) });
}

/** Nothing of the environment that the tests run in. */
export function surroundings(home: string, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: home, ...env };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the executable to its end, with this as its whole input. */
export async function runToEnd(given: Given, input = ""): Promise<Ended> {
  const child = launch(given);
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([all(child.stdout), all(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}

async function all(stream: ChildProcessWithoutNullStreams["stdout"]): Promise<string> {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += String(chunk);
  return text;
}

export interface Frame {
  readonly id?: number | string | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Client {
  readonly child: ChildProcessWithoutNullStreams;
  /** Every line of stdout so far. */
  readonly lines: readonly string[];
  stderr(): string;
  send(frame: object | string): void;
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: object): Promise<Frame>;
  ended(): Promise<number | null>;
}

/** A client of the executable that looks at every byte of its stdout. */
export function connectTo(given: Given): Client {
  const child = launch(given);
  const ended = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const lines: string[] = [];
  const waiting = new Map<number, (frame: Frame) => void>();
  let stderr = "";
  let rest = "";
  let lastId = 0;
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      lines.push(line);
      const frame = parsed(line);
      if (typeof frame?.id === "number") waiting.get(frame.id)?.(frame);
    }
  });
  const send = (frame: object | string) =>
    void child.stdin.write(typeof frame === "string" ? frame : `${JSON.stringify(frame)}\n`);
  const ask = (method: string, params: object = {}) =>
    new Promise<Frame>((resolve, reject) => {
      const id = (lastId += 1);
      waiting.set(id, resolve);
      void ended.then((code) => reject(new Error(`ended with ${code}: ${stderr}`)));
      send({ jsonrpc: "2.0", id, method, params });
    });
  return { child, lines, stderr: () => stderr, send, ask, ended: () => ended };
}

function parsed(line: string): Frame | undefined {
  try {
    return JSON.parse(line) as Frame;
  } catch {
    return undefined;
  }
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test-client", version: "1" } },
} as const;

export async function initialize(client: Client): Promise<Frame> {
  const answer = await client.ask(INITIALIZE.method, INITIALIZE.params);
  client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return answer;
}
