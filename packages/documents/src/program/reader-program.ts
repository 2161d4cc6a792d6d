import { dieWithParent, findProgram, packageVersion } from "@llmc/te-run";

type Argv = readonly [string, ...string[]];

/** Bounds all memory of a reader. */
const MEMORY_BYTES = 1024 ** 3;
/** Bounds the JavaScript heap. */
const HEAP_MB = 256;
/** Forbids writing files, core dumps too. */
const NO_FILES = ["--fsize=0", "--core=0"];
/** Folder from which packages are found, in a build and in a bundle. */
const FOLDER = import.meta.dirname;

/** Program that reads one kind of file. */
export interface ReaderProgram {
  /** Name with version, for health reports and errors. */
  readonly name: string;
  readonly argv: Argv;
  /** Folder from which the program imports its packages. */
  readonly cwd?: string | undefined;
  /** Limits the address space, or only writable memory for Node, which reserves far more addresses than it uses. */
  readonly limit: "as" | "data";
}

/** Returns a script that this server's Node runs, or null if the npm package it imports is not installed. */
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

/** Returns a command that ends with the server, writes no file and has limited memory. */
export async function limited({ argv, limit }: ReaderProgram, more: readonly string[]): Promise<Argv> {
  const prlimit = await findProgram("prlimit");
  const command: Argv =
    prlimit === null
      ? [...argv, ...more]
      : [prlimit, `--${limit}=${MEMORY_BYTES}`, ...NO_FILES, "--", ...argv, ...more];
  return await dieWithParent(command);
}
