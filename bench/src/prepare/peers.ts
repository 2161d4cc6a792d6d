import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Exact, so that a figure says what it is of. */
export const PEERS: Readonly<Record<string, string>> = {
  "@wonderwhy-er/desktop-commander": "0.2.52",
  "@modelcontextprotocol/server-filesystem": "2026.8.31",
};

const INSTALL_MS = 10 * 60 * 1000;

/** Whether the peers are there. Never dependencies of the workspace: a newcomer must not download 285 MB of them. */
export async function installPeers(folder: string, mayInstall: boolean): Promise<boolean> {
  if (installed(folder)) return true;
  if (!mayInstall) return false;
  mkdirSync(folder, { recursive: true });
  // Some registries lack the newest release of this one, which a peer's peer asks for.
  const overrides = { "typedarray.prototype.slice": "^1.0.5" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, overrides }));
  console.error("Installing the peers into bench/.peers (285 MB, some minutes) …");
  const wanted = Object.entries(PEERS).map(([name, version]) => `${name}@${version}`);
  const npm = spawn("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...wanted], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: INSTALL_MS,
  });
  npm.on("error", () => {});
  await once(npm, "close").catch(() => {});
  return installed(folder);
}

function installed(folder: string): boolean {
  return Object.entries(PEERS).every(([name, version]) => versionIn(join(folder, "node_modules", name)) === version);
}

export function versionIn(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;
  } catch {
    return undefined;
  }
}
