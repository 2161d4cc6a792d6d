import { InvalidArgumentError } from "@llmc/errors";

/** Where programs are looked for. Fixed, because a PATH that we were given may name folders that others can write to. */
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin";

const TAKEN = new Set(["LANG", "TZ", "TERM", "COLORTERM", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"]);
const TAKEN_PATTERN = /^(LC_[A-Z]+|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)$/;

/**
 * The environment of a program, built from nothing: a system PATH and the few names that say where and how it runs.
 * `extra` is our own choice for one program and is not filtered; what a caller asks for must be judged before.
 */
export function buildEnv(
  base: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const built = new Map<string, string>([["PATH", SYSTEM_PATH]]);
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && isTaken(name)) built.set(name, value);
  }
  for (const [name, value] of Object.entries(extra)) built.set(name, name === "PATH" ? cleanPath(value) : value);
  for (const [name, value] of built) checkVariable(name, value);
  return Object.fromEntries(built);
}

/** The folders of a PATH. An empty or relative entry would mean the working folder, so it is none. */
export function pathFolders(path: string): string[] {
  return path.split(":").filter((folder) => folder.startsWith("/"));
}

function isTaken(name: string): boolean {
  return TAKEN.has(name) || TAKEN_PATTERN.test(name);
}

function cleanPath(path: string): string {
  const folders = pathFolders(path);
  return folders.length === 0 ? SYSTEM_PATH : folders.join(":");
}

function checkVariable(name: string, value: string): void {
  if (name === "" || /[=\0]/.test(name)) {
    throw new InvalidArgumentError(`${JSON.stringify(name)} is not a valid name for an environment variable`);
  }
  if (value.includes("\0")) throw new InvalidArgumentError(`The environment variable ${name} holds a NUL character`);
}
