import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ConfigError, type Origin } from "../error/config-error.js";
import { quote } from "../error/one-line.js";

export interface Base {
  /** What a relative path is relative to; asked only when one is met. */
  readonly folder: () => string;
  readonly home: () => string;
}

export const OWN_HOME = (): string => {
  try {
    // An empty or relative HOME would scatter our state, the token included, over whatever folder the start was made in.
    const told = homedir();
    return isAbsolute(told) ? told : userInfo().homedir;
  } catch (cause) {
    throw new ConfigError("this user has no home folder: set HOME", { cause });
  }
};

export const WORKING_FOLDER = (): string => {
  try {
    return process.cwd();
  } catch (cause) {
    throw new ConfigError("the current folder no longer exists", { cause });
  }
};

/** `~` and relative paths settled. An empty path stays empty: it means "none". */
export function settlePath(
  written: string,
  { folder, home }: Base,
  blame: { origin?: Origin | undefined; key?: string } = {},
): string {
  if (written === "") return "";
  if (written.includes("\0")) throw new ConfigError("a path cannot hold a NUL", blame);
  if (written === "~") return resolve(home());
  if (written.startsWith("~/")) return join(resolve(home()), written.slice(2)).replace(/(?<=.)\/$/, "");
  if (written.startsWith("~")) {
    throw new ConfigError(`${quote(written)}: only ~ and ~/… are understood, not another user's home`, blame);
  }
  return isAbsolute(written) ? resolve(written) : resolve(folder(), written);
}

/** Whether `path` is `folder` or lies below it; both absolute and settled. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
