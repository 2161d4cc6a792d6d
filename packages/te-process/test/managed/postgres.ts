import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VERSIONS = "/usr/lib/postgresql";
const NOBODY = 65_534;

export interface Postgres extends AsyncDisposable {
  /** Folder of the only socket on which the server listens. */
  readonly folder: string;
}

/** Starts a database server of its own, never as root; returns null if PostgreSQL is not installed. */
export async function startPostgres(): Promise<Postgres | null> {
  const version = existsSync(VERSIONS) ? readdirSync(VERSIONS).at(-1) : undefined;
  if (version === undefined || !existsSync("/usr/bin/psql")) return null;
  const programs = join(VERSIONS, version, "bin");
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  chmodSync(folder, 0o777);
  const data = join(folder, "data");
  const made = spawnSync(join(programs, "initdb"), ["-D", data, "-U", "test", "-A", "trust", "--no-sync"], user);
  if (made.status !== 0) {
    console.warn(`no database could be made: ${made.stderr?.toString().slice(-300)}`);
    remove();
    return null;
  }
  const args = ["-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"];
  const server = spawn(join(programs, "postgres"), args, { ...user, stdio: ["ignore", "ignore", "pipe"] });
  const isReady = (chunk: Buffer): boolean => chunk.toString().includes("ready to accept connections");
  for await (const chunk of server.stderr) if (isReady(chunk as Buffer)) break;
  return {
    folder,
    async [Symbol.asyncDispose]() {
      const exit = once(server, "exit");
      server.kill("SIGINT");
      await exit;
      remove();
    },
  };
}
