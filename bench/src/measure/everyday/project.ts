import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { sources, unfinished } from "./sources.js";

/** Git repository with unfinished work, a large log, and a running server. */
export interface Project extends AsyncDisposable {
  readonly folder: string;
  /** Server that runs as long as the project is open. */
  readonly running: { readonly pid: number; readonly port: number };
  /** Port without a listener. */
  readonly freePort: number;
  /** Returns the content of a file; undefined if the file is missing. */
  file(name: string): string | undefined;
  isFolder(name: string): boolean;
  /** Tells whether a program listens on a port of this machine's IPv4 addresses. */
  isListening(port: number): boolean;
  /** Restores the first content of each file, and removes added files. */
  reset(): void;
}

/** `more` are files beside those of the project. */
export async function openProject(folder: string, more: ReadonlyMap<string, string> = new Map()): Promise<Project> {
  fill(folder, sources());
  commitAll(folder);
  writeLog(join(folder, LOG_FILE));
  const files = new Map([...sources(), ...unfinished(), ...more]);
  fill(folder, files);
  const [port, freePort] = [await unusedPort(), await unusedPort()];
  const server = spawn(process.execPath, ["src/server.js", String(port)], { cwd: folder, stdio: "pipe", env: {} });
  // Kills the server at exit too, because an interrupted run does not dispose of the project.
  const end = (): unknown => server.kill("SIGKILL");
  process.once("exit", end);
  await once(server.stdout, "data");
  return {
    folder,
    running: { pid: server.pid ?? 0, port },
    freePort,
    file: (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : undefined),
    isFolder: (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() ?? false,
    isListening: (port) => listeners().includes(port),
    reset() {
      for (const name of readdirSync(folder)) {
        if (!KEPT.includes(name)) rmSync(join(folder, name), { recursive: true });
      }
      fill(folder, files);
    },
    async [Symbol.asyncDispose]() {
      process.off("exit", end);
      end();
      await once(server, "exit");
    },
  };
}

export const LOG_FILE = "logs/app.log";
const KEPT = [".git", "logs"];

function fill(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content, { mode: content.startsWith("#!") ? 0o755 : 0o644 });
  }
}

/** Subjects of the commits, the first commit first. */
export const COMMITS = [
  "shop: take orders",
  "payments: round amounts once",
  "shipping: ask carriers for rates",
  "orders: keep the history of an order",
  "payments: apply refunds",
];

/** Makes the same commits in each run, so their ids are the same too. */
function commitAll(folder: string): void {
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "-A");
  for (const subject of COMMITS) git(folder, "commit", "-q", "--allow-empty", "-m", subject);
}

function git(cwd: string, ...args: string[]): void {
  const who = ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "Ada"],
    [`GIT_${role}_EMAIL`, "ada@example.org"],
    [`GIT_${role}_DATE`, "2026-11-02T09:00:00Z"],
  ]);
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const { status, stderr } = spawnSync("git", args, {
    cwd,
    env: { ...env, ...Object.fromEntries(who) },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
}

export const LOG_LINES = 200_000;
/** Number of log lines for each line with an error. */
const ERROR_EACH = 17_000;

export function logLine(nth: number): string {
  const time = new Date(Date.UTC(2026, 10, 18) + nth * 430).toISOString();
  if (nth % ERROR_EACH === ERROR_EACH - 1)
    return `${time} ERROR payments refund of order ${10_000 + (nth % 5000)} was refused`;
  return `${time} INFO GET /orders/${10_000 + ((nth * 7919) % 5000)} 200 in ${3 + ((nth * 31) % 90)} ms`;
}

export const ERROR_LINES = Array.from({ length: Math.floor(LOG_LINES / ERROR_EACH) }, (_, nth) =>
  logLine((nth + 1) * ERROR_EACH - 1),
);

// Lines to write at once. A spawn costs more in a process that has used more memory.
const PIECE = 5_000;

function writeLog(path: string): void {
  mkdirSync(dirname(path));
  const file = openSync(path, "w");
  for (let from = 0; from < LOG_LINES; from += PIECE) {
    const lines = Array.from({ length: PIECE }, (_, nth) => logLine(from + nth));
    writeSync(file, `${lines.join("\n")}\n`);
  }
  closeSync(file);
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Reads ports from /proc/net/tcp, where ports are hexadecimal and 0A marks a listener. */
function listeners(): number[] {
  const rows = readFileSync("/proc/net/tcp", "latin1").matchAll(/: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F:]+ 0A /g);
  return [...rows].map(([, port = ""]) => Number.parseInt(port, 16));
}
