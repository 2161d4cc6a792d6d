import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram, run } from "@llmc/te-run";
import { changesOf, type GitChanges, type GitSetting } from "../sandbox/git-keys.js";
import { settingsOf } from "./git-changes.js";

export interface MergedConfig {
  /** Content to write; undefined if nothing changes. */
  readonly content: Buffer | undefined;
  /** Keys whose changes were refused. */
  readonly refused: readonly string[];
}

const BOUNDS = { maxBytes: 256 * 1024, timeoutMs: 10_000, cwd: "/" };
/** Keeps git from reading any config but the named file. */
const ALONE = { HOME: "/", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

/** Merges the harmless changes of a command into a config. git itself writes them, into a copy in `folder`. */
export async function mergeGitConfig(
  current: Buffer,
  wanted: readonly GitSetting[],
  folder: string,
): Promise<MergedConfig> {
  const git = await findProgram("git");
  if (git === null) return { content: undefined, refused: [] };
  const own = mkdtempSync(join(folder, "config-"));
  const file = join(own, "config");
  const config = async (...words: readonly string[]) => {
    const { stdout, exitCode } = await run([git, "config", "--file", file, ...words], { ...BOUNDS, env: ALONE });
    if (exitCode !== 0) throw new Error(`git config ended with ${exitCode}`);
    return stdout;
  };
  const settings = async () => settingsOf((await config("--null", "--list")).toString().split("\0"));
  try {
    writeFileSync(file, current, { mode: 0o600 });
    const before = await settings();
    const { harmless, refused } = changesOf(before, wanted);
    for (const { key, values } of harmless) {
      const [first = "", ...more] = values;
      await config("--replace-all", key, first);
      for (const value of more) await config("--add", key, value);
    }
    const { harmless: others, refused: lost } = changesOf(before, await settings());
    // Accepts the file only if git wrote exactly the checked settings.
    if (JSON.stringify(sorted(others)) !== JSON.stringify(sorted(harmless)) || lost.length > 0)
      throw new Error("git wrote something else");
    return { content: harmless.length === 0 ? undefined : readFileSync(file), refused };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function sorted(changes: GitChanges["harmless"]): GitChanges["harmless"] {
  return changes.toSorted((one, other) => one.key.localeCompare(other.key));
}
