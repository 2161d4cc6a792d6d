import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInside } from "../layers/folders.js";
import { isLoopback } from "../check/loopback.js";
import { oneLine } from "../error/one-line.js";
import type { Environment } from "../layers/overrides.js";
import type { ConfigFile } from "./read-file.js";
import type { McpConfig } from "../schema/mcp.js";
import { rootWarnings, tokenFile } from "./settings.js";

interface Facts {
  readonly mcp: McpConfig;
  readonly roots: readonly string[];
  readonly file: ConfigFile | undefined;
  readonly dataDir: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly transport: "stdio" | "http" | undefined;
}

/** What the operator should know and what is no reason not to start. One line each. */
export async function warnings(facts: Facts): Promise<string[]> {
  const found = [
    ...rootWarnings(facts.mcp, facts.roots),
    ...fileWarnings(facts),
    ...(await insideWarnings(facts)),
    ...(await strayFile(facts)),
    ...confusedRoot(facts),
    ...inTheClear(facts),
  ];
  return found.map(oneLine);
}

function inTheClear({ mcp: { server }, transport }: Facts): string[] {
  if (transport !== "http" || server.tls_enabled || isLoopback(server.host)) return [];
  return [`${server.host} is served over plain HTTP: who sees the network sees the token; set mcp.server.tls_enabled`];
}

const READ_BY_OTHERS = 0o044;
const WRITTEN_BY_ALL = 0o002;

function fileWarnings({ file, mcp }: Facts): string[] {
  if (!file) return [];
  const mode = (file.mode & 0o777).toString(8).padStart(4, "0");
  const found: string[] = [];
  if (file.mcp === undefined) found.push(`${file.path} has no [mcp] table, so nothing in it applies`);
  if (file.mode & WRITTEN_BY_ALL) found.push(`${file.path} can be changed by every user (mode ${mode})`);
  if (mcp.auth.token !== "" && file.mode & READ_BY_OTHERS) {
    found.push(`${file.path} can be read by other users (mode ${mode}), and so can a token in it`);
  }
  return found;
}

async function insideWarnings({ roots, file, dataDir, mcp, transport }: Facts): Promise<string[]> {
  const places: [what: string, path: string][] = [];
  if (file) places.push(["config file", file.path]);
  if (transport === "http" && mcp.auth.mode === "token") places.push(["token file", tokenFile(dataDir)]);
  const found: string[] = [];
  for (const [what, path] of places) {
    const root = await rootAround(roots, path);
    if (root !== undefined) {
      found.push(`the ${what} ${path} lies inside the root ${root}; tools cannot reach it, but it is safer elsewhere`);
    }
  }
  return found;
}

/** By both spellings: a root or a file may be named through a link. */
async function rootAround(roots: readonly string[], path: string): Promise<string | undefined> {
  const spellings = [path, await real(path)];
  for (const root of roots) {
    const folders = [root, await real(root)];
    if (folders.some((folder) => spellings.some((spelling) => isInside(folder, spelling)))) return root;
  }
  return undefined;
}

/** The real path of what exists, and of a new file in an existing folder. */
async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await real(parent), path.slice(parent.length));
  }
}

/** A repository must not configure the server that is to hold it, so a file lying about is only mentioned. */
async function strayFile({ cwd, file }: Facts): Promise<string[]> {
  const stray = join(cwd, "llmc.toml");
  if (file && (file.path === stray || file.realPath === (await real(stray)))) return [];
  return lstat(stray).then(
    () => [`${stray} is not loaded because it merely lies in the current folder; --config ${stray} loads it`],
    () => [],
  );
}

function confusedRoot({ env, roots }: Facts): string[] {
  if (roots.length > 0 || !env["LLMC_ROOT"]) return [];
  return ["LLMC_ROOT is the base of relative config paths and opens no folder; --root DIR or LLMC_ROOTS does"];
}
