import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Bytes } from "../../src/path/bytes.js";

// Nothing of the machine that runs the test plays a part.
const env = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  LC_ALL: "C",
};

export function gitVersion(): string | undefined {
  const { stdout, status } = spawnSync("git", ["--version"], { env, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

export interface Entry {
  readonly path: Bytes;
  /** What git takes for a folder: a link to one is none. */
  readonly isFolder: boolean;
}

const buffer = (bytes: Bytes): Buffer => Buffer.from(bytes, "latin1");

/** A repository with these entries: folders end in a slash, links in an @. */
export function plantRepository(dir: string, entries: readonly Bytes[]): Entry[] {
  execFileSync("git", ["init", "-q", "--template=", dir], { env });
  return entries.map((entry) => {
    const isFolder = entry.endsWith("/");
    const path = entry.replace(/[/@]$/, "");
    mkdirSync(buffer(`${dir}/${isFolder ? path : dirname(path)}`), { recursive: true });
    if (entry.endsWith("@")) symlinkSync(".", buffer(`${dir}/${path}`));
    else if (!isFolder) writeFileSync(buffer(`${dir}/${path}`), "");
    return { path, isFolder };
  });
}

/** Those that git ignores. */
export function gitIgnores(dir: string, entries: readonly Entry[]): Bytes[] {
  const input = buffer(entries.map(({ path }) => `${path}\0`).join(""));
  const { stdout, stderr, status } = spawnSync("git", ["check-ignore", "--no-index", "-z", "--stdin"], {
    cwd: dir,
    env,
    input,
  });
  if (status !== 0 && status !== 1) throw new Error(stderr.toString());
  return stdout.toString("latin1").split("\0").slice(0, -1);
}
