import { findProgram, run } from "@llmc/te-run";
import type { FoundEngines, Grep, Ripgrep } from "./engine.js";

export interface EngineFolders {
  readonly packagedRg?: string | null | undefined;
  readonly path?: string | undefined;
  readonly onProblem?: ((message: string) => void) | undefined;
}

const PROBE = { maxBytes: 4096, timeoutMs: 10_000, env: { LANG: "C.UTF-8", LC_ALL: "C.UTF-8" }, baseEnv: {} };

export async function findEngines({ packagedRg, path, onProblem }: EngineFolders): Promise<FoundEngines> {
  const [content, xargs] = await Promise.all([
    contentEngine({ packagedRg, path, onProblem }),
    findProgram("xargs", path),
  ]);
  return { content, xargs };
}

async function contentEngine({ packagedRg, path, onProblem }: EngineFolders): Promise<FoundEngines["content"]> {
  if (typeof packagedRg === "string") {
    const found = await ripgrep(packagedRg, true);
    if (found !== null) return found;
    onProblem?.(`The packaged ripgrep (${packagedRg}) does not run on this machine; one of the system is looked for.`);
  }
  const rg = await findProgram("rg", path);
  const found = rg === null ? null : await ripgrep(rg, false);
  return found ?? (await grep(path));
}

async function ripgrep(program: string, packaged: boolean): Promise<Ripgrep | null> {
  const [version, pcre2] = await Promise.all([
    printed([program, "--no-config", "--version"]),
    printed([program, "--pcre2-version"]),
  ]);
  const [, number, major] = /^ripgrep ((\d+)\.\S+)/.exec(version) ?? [];
  if (number === undefined) return null;
  return {
    kind: "ripgrep",
    program,
    name: `ripgrep ${number}`,
    packaged,
    hasPcre2: /^PCRE2 .* is available/.test(pcre2),
    tellsBinary: Number(major) >= 15,
  };
}

async function grep(path: string | undefined): Promise<Grep | null> {
  const program = await findProgram("grep", path);
  if (program === null) return null;
  // It takes the pattern and matches a letter beyond ASCII, or says that -P is not built in.
  const trial = { ...PROBE, stdin: "é5\n" };
  const [version, perl] = await Promise.all([
    printed([program, "--version"]),
    run([program, "-cP", "-e", String.raw`(*UCP)^\w\p{Nd}\b`], trial).catch(() => undefined),
  ]);
  // Others lack what tells a name from a line.
  const [, number] = /^grep \(GNU grep\) (\S+)/.exec(version) ?? [];
  if (number === undefined) return null;
  return { kind: "grep", program, name: `grep ${number}`, hasPcre2: perl?.exitCode === 0 };
}

async function printed(argv: readonly [string, ...string[]]): Promise<string> {
  const result = await run(argv, PROBE).catch(() => undefined);
  return result?.exitCode === 0 ? result.stdout.toString("utf8") : "";
}
