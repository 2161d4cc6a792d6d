import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
} from "node:fs";
import { EngineUnavailableError } from "@llmc/errors";
import { makeFolder } from "./make-folder.js";

const SIDE_FILES = ["-wal", "-shm"];

/** Makes the data folder (0700), or says in one line why it cannot serve. */
export function prepareFolder(dir: string, warn: (message: string) => void): void {
  try {
    const created = makeFolder(dir);
    const { mode, uid } = statSync(dir);
    // A folder that somebody else filled keeps its mode: the data dir may have been set to a shared place.
    const ours = created || (uid === process.geteuid?.() && (mode & 0o077) !== 0 && readdirSync(dir).length === 0);
    if (ours) chmodSync(dir, 0o700);
    else if ((mode & 0o022) !== 0) warn(`Other users can write in the data folder ${dir}: chmod 700 it.`);
    accessSync(dir, constants.W_OK | constants.X_OK);
  } catch (thrown) {
    throw unwritable(dir, thrown);
  }
}

/** Makes the file if it is missing; either way it is a regular file that only this user can open. */
export function preparePrivateFile(file: string): void {
  try {
    createExclusive(file);
    // From here on only by name: closing any descriptor of a database drops every lock this process has on it.
    for (const name of [file, ...SIDE_FILES.map((side) => file + side)]) restrict(name);
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (thrown) {
    throw unwritable(file, thrown);
  }
}

function createExclusive(file: string): void {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
  try {
    closeSync(openSync(file, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
}

function restrict(file: string): void {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isFile()) throw new Error(`${file} is not a regular file`);
  if ((stat.mode & 0o777) === 0o600) return;
  try {
    chmodSync(file, 0o600);
  } catch (thrown) {
    // The last other connection closed just now and took its side files with it.
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
  }
}

/** Tells a file from another one that came to lie at the same place; null where there is none. */
export function identityOf(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

/** Renames the database and what belongs to it; returns the new name. */
export function moveAside(file: string, now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  let aside = `${file}.corrupt-${stamp}`;
  for (let again = 1; existsSync(aside); again += 1) aside = `${file}.corrupt-${stamp}-${again}`;
  // The log goes first: left behind, it would be replayed into the fresh file.
  for (const part of [...SIDE_FILES, ""]) {
    if (existsSync(file + part)) renameSync(file + part, aside + part);
  }
  return aside;
}

function unwritable(path: string, thrown: unknown): unknown {
  const { code } = thrown as NodeJS.ErrnoException;
  const problem = code === undefined ? (thrown as Error).message : `${path} cannot be written (${code})`;
  return new EngineUnavailableError(
    "The server's database",
    problem,
    "Make the data folder writable, or set LLMC_DATA_DIR to another one.",
  );
}
