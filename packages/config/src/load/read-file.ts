import { isUtf8 } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { parse, TomlError } from "smol-toml";
import { ConfigError, type Origin } from "../error/config-error.js";
import { lineFinder } from "./locate.js";

export interface ConfigFile {
  readonly path: string;
  /** Where a link leads: what is private is the file, by whatever name. */
  readonly realPath: string;
  readonly mode: number;
  /** The `[mcp]` table as written; undefined where the file has none. */
  readonly mcp: unknown;
  readonly locate: (path: readonly string[]) => Origin;
}

const LARGEST = 1024 * 1024;
// NONBLOCK: a FIFO without a writer must not hang the start.
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Reads another TOML file than the config file, within the same bounds. */
export async function readToml(path: string): Promise<Record<string, unknown>> {
  return parseToml(path, decode(path, (await readBytes(path)).bytes));
}

export async function readConfigFile(path: string): Promise<ConfigFile> {
  const { bytes, mode } = await readBytes(path);
  const text = decode(path, bytes);
  const document = parseToml(path, text);
  const line = lineFinder(text);
  return {
    path,
    realPath: await realpath(path),
    mode,
    mcp: Object.hasOwn(document, "mcp") ? document["mcp"] : undefined,
    locate: (key) => originIn(path, line(key)),
  };
}

/** As `readConfigFile`, but a file that is not there is no error: nobody asked for it by name. */
export async function readConfigFileIfAny(path: string): Promise<ConfigFile | undefined> {
  try {
    return await readConfigFile(path);
  } catch (thrown) {
    if (thrown instanceof ConfigError && isAbsent(thrown.cause)) return undefined;
    throw thrown;
  }
}

async function readBytes(path: string): Promise<{ bytes: Buffer; mode: number }> {
  const file = await open(path, FLAGS).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  try {
    const stats = await file.stat();
    const problem = unfit(stats);
    if (problem) throw new ConfigError(problem, { origin: originIn(path) });
    return { bytes: await file.readFile(), mode: stats.mode };
  } finally {
    await file.close();
  }
}

function unfit(stats: Stats): string | undefined {
  if (stats.isDirectory()) return "is a folder, not a config file";
  if (!stats.isFile()) return "is not a regular file";
  return stats.size > LARGEST ? `has ${stats.size} bytes, more than a config file may have (${LARGEST})` : undefined;
}

function decode(path: string, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ConfigError("is not valid UTF-8", { origin: originIn(path, firstBadLine(bytes)) });
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

function firstBadLine(bytes: Buffer): number {
  const lines = bytes.toString("latin1").split("\n");
  return 1 + lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1")));
}

function parseToml(path: string, text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    // The rest of its message quotes the line, which may hold a secret.
    const problem = cause.message.split("\n")[0]?.replace("Invalid TOML document: ", "");
    throw new ConfigError(`not valid TOML: ${problem} (column ${cause.column})`, {
      origin: originIn(path, cause.line),
    });
  }
}

const originIn = (path: string, line?: number): Origin => ({
  label: path,
  file: path,
  ...(line === undefined ? {} : { line }),
});

const codeOf = (thrown: unknown): unknown => (thrown as NodeJS.ErrnoException | undefined)?.code;
const isAbsent = (thrown: unknown): boolean => codeOf(thrown) === "ENOENT" || codeOf(thrown) === "ENOTDIR";

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "this config file does not exist",
  ENOTDIR: "this config file does not exist: a part of its path is a file",
  EACCES: "this config file cannot be read: permission denied",
  EPERM: "this config file cannot be read: permission denied",
  ELOOP: "this config file cannot be read: its links lead in a circle",
  ENAMETOOLONG: "the path of this config file is too long",
  ENXIO: "is not a regular file",
};

function unreadable(path: string, cause: unknown): ConfigError {
  const code = String(codeOf(cause));
  return new ConfigError(PROBLEMS[code] ?? `this config file cannot be read (${code})`, {
    origin: originIn(path),
    cause,
  });
}
