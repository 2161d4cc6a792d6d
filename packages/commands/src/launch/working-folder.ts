import { NotADirectoryError } from "@llmc/errors";
import type { Files } from "@llmc/te-fs";

/** Resolves the working folder of a command to a path without symlinks: the folder of the call, else the first root. */
export async function workingFolder(cwd: string | undefined, files: Files, signal: AbortSignal): Promise<string> {
  const asked = cwd ?? ".";
  const { real, type } = await files.stat(asked, { signal });
  if (type !== "dir") throw new NotADirectoryError(asked);
  return real;
}
