import { dieWithParent, findProgram, packageVersion } from "@llmc/te-run";

type Argv = readonly [string, ...string[]];

/** Of all that a reader holds, in whatever language it is written. */
const MEMORY_BYTES = 1024 ** 3;
/** Of JavaScript's own objects. */
const HEAP_MB = 256;
/** No file is written, and no core. */
const NO_FILES = ["--fsize=0", "--core=0"];
/** A bundle lies in one folder and a build in several: packages are found from either. */
const FOLDER = import.meta.dirname;

/** A program that reads a kind of file. */
export interface ReaderProgram {
  /** For health reports and errors. */
  readonly name: string;
  readonly argv: Argv;
  /** Where it finds its packages. */
  readonly cwd?: string | undefined;
  /** Limits all its addresses, or its memory that can be written: Node reserves far more addresses than it uses. */
  readonly limit: "as" | "data";
}

/** A script that imports an npm package, run by this server's own Node; null where the package is not installed. */
export function nodeProgram(name: string, script: string): ReaderProgram | null {
  const version = packageVersion(name, FOLDER);
  if (version === null) return null;
  const argv = [
    process.execPath,
    `--max-old-space-size=${HEAP_MB}`,
    "--input-type=module",
    "-e",
    script,
    "--",
  ] as const;
  return { name: `${name} ${version}`, argv, cwd: FOLDER, limit: "data" };
}

/** The command that runs a reader with arguments: it ends with the server, writes no file, and has a limited memory. */
export async function limited({ argv, limit }: ReaderProgram, more: readonly string[]): Promise<Argv> {
  const prlimit = await findProgram("prlimit");
  const command: Argv =
    prlimit === null
      ? [...argv, ...more]
      : [prlimit, `--${limit}=${MEMORY_BYTES}`, ...NO_FILES, "--", ...argv, ...more];
  return await dieWithParent(command);
}
