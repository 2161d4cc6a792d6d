import { findProgram, run } from "@llmc/te-run";

const KEYS = ["user.name", "user.email", "init.defaultBranch", "core.autocrlf"];
/** Without a sandbox a repository must not choose what git runs. */
const TAMED = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
] as const;

/** Of the git configuration of the server's user who he is, and nothing else; as variables that git reads. */
export async function gitIdentity(home: string): Promise<readonly (readonly [string, string])[]> {
  const git = await findProgram("git");
  if (git === null) return [];
  const bounds = { maxBytes: 64 * 1024, timeoutMs: 5_000, env: { HOME: home, GIT_CONFIG_NOSYSTEM: "1" }, cwd: "/" };
  const wanted = `^(${KEYS.join("|").replaceAll(".", "\\.").toLowerCase()})$`;
  const { stdout } = await run([git, "config", "--global", "--null", "--get-regexp", wanted], bounds);
  const entries = stdout
    .toString()
    .split("\0")
    .filter((entry) => entry.includes("\n"));
  // The last one counts, as with git itself.
  return [
    ...new Map(entries.map((entry) => [entry.slice(0, entry.indexOf("\n")), entry.slice(entry.indexOf("\n") + 1)])),
  ];
}

export function gitVariables(
  entries: readonly (readonly [string, string])[],
  isTamed: boolean,
): Readonly<Record<string, string>> {
  const all = [...entries, ...(isTamed ? TAMED : [])];
  if (all.length === 0) return {};
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", `${all.length}`],
    ...all.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);
}
