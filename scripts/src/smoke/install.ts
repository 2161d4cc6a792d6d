import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";

export interface Install {
  readonly project: string;
  /** Package name to tarball. */
  readonly tarballs: ReadonlyMap<string, string>;
  readonly node: string;
  readonly ignoreScripts: boolean;
}

/** Where a smoke test runs. */
export interface Site {
  readonly node: string;
  readonly project: string;
  /** A folder with `note.txt`: the only root. */
  readonly files: string;
  readonly state: string;
}

export const NOTE = "one\ntwo\nthree\n";

// All tarballs stand at the top, so npm finds each workspace dependency there and asks no registry for it.
export async function installTarballs({ project, tarballs, node, ignoreScripts }: Install): Promise<void> {
  mkdirSync(project, { recursive: true });
  const dependencies = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies }, null, 2),
  );
  const flags = ["--no-audit", "--no-fund", "--loglevel=error", ...(ignoreScripts ? ["--ignore-scripts"] : [])];
  await execa(node, [await npmScript(), "install", ...flags], {
    cwd: project,
    env: { PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}` },
    stdio: ["ignore", "inherit", "inherit"],
    timeout: 600_000,
  });
}

/** Finds npm's script, so that the node under test runs it and its install scripts build for that node. */
async function npmScript(): Promise<string> {
  const { stdout } = await execa("sh", ["-c", "command -v npm"]);
  return realpathSync(stdout);
}
