import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, futimesSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "@llmc/te-path";
import { ownMark } from "./process-mark.js";
import { privateFolder } from "./state-folder.js";

const MAKE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_APPEND;

/** A file that says which process it belongs to; only that process writes to it. */
export interface OwnerFile {
  readonly path: string;
  readonly fd: number;
  readonly dev: bigint;
  readonly ino: bigint;
  /** Bytes of the line that says so. */
  readonly head: number;
  /** Shows others that somebody is there. */
  touch(): void;
  /** Lets it lie, for others to find. */
  close(): void;
  remove(): void;
}

/** `prefix` and something that nobody else has. */
export function makeOwnerFile(folder: string, prefix: string): OwnerFile {
  privateFolder(folder);
  const path = join(folder, `${prefix}${randomBytes(12).toString("hex")}`);
  const fd = openSync(path, MAKE, 0o600);
  const remove = (): void => {
    closeSync(fd);
    try {
      unlinkSync(path);
    } catch (thrown) {
      if (!hasCode(thrown, "ENOENT")) throw thrown;
    }
  };
  try {
    const text = `${ownMark()}\n`;
    if (writeSync(fd, text) !== text.length) throw Object.assign(new Error("written in part"), { code: "ENOSPC" });
    const { dev, ino } = fstatSync(fd, { bigint: true });
    const touch = (): void => futimesSync(fd, Date.now() / 1000, Date.now() / 1000);
    return { path, fd, dev, ino, head: text.length, touch, close: () => closeSync(fd), remove };
  } catch (thrown) {
    remove();
    throw thrown;
  }
}
