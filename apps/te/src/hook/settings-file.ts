import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { StartError } from "@llmc/cli";

const PRIVATE = 0o600;
const MODE = 0o777;

/** Returns undefined if the file is missing. */
export function readSettings(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return undefined;
    throw new StartError(`${file} cannot be read (${codeOf(thrown)})`, thrown);
  }
}

/** Replaces the file at once, so that a reader sees the old text or the new one. A link stays, and its target changes. */
export function writeSettings(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const before = statSync(file, { throwIfNoEntry: false });
    replace(
      before === undefined ? file : realpathSync(file),
      text,
      before === undefined ? PRIVATE : before.mode & MODE,
    );
  } catch (thrown) {
    throw new StartError(`${file} cannot be written (${codeOf(thrown)})`, thrown);
  }
}

function replace(file: string, text: string, mode: number): void {
  const temporary = `${file}.${process.pid}.tmp`;
  const descriptor = openSync(temporary, "wx", mode);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(temporary, file);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  }
}

function codeOf(thrown: unknown): string {
  return (thrown as NodeJS.ErrnoException).code ?? String(thrown);
}
