import { findProgram, run } from "@llmc/te-run";

export interface FdProgram {
  readonly program: string;
  /** "8.6.0" */
  readonly version: string;
}

/** Debian has another program of that name. */
const NAMES = ["fdfind", "fd"];
/** From here on a folder is told by a slash at its end. */
const OLDEST = 8.4;

/** The fd of the system, in the folders of `path`. */
export async function findFd(path: string | undefined): Promise<FdProgram | undefined> {
  for (const name of NAMES) {
    const program = await findProgram(name, path);
    const version = program === null ? undefined : await versionOf(program);
    if (program !== null && version !== undefined) return { program, version };
  }
  return undefined;
}

async function versionOf(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await run([program, "--version"], { maxBytes: 200, timeoutMs: 5000, stopAtMax: true });
    const version = /^fd(?:find)? (\d+\.\d+)(\.\d+)?/.exec(stdout.toString("latin1"));
    return version !== null && isNewEnough(version[1] as string) ? `${version[1]}${version[2] ?? ""}` : undefined;
  } catch {
    return undefined;
  }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major * 1000 + minor >= Math.floor(OLDEST) * 1000 + Math.round((OLDEST % 1) * 10);
}
