import type { KernelFiles } from "../read/kernel-files.js";

/** What of a process seldom changes. */
export interface Identity {
  /** The effective user; null where the kernel does not tell. */
  readonly uid: number | null;
  /** Null where it is not ours to read; empty for what has none: kernel threads, and zombies. */
  readonly argv: readonly string[] | null;
}

/** No program needs more of a command line to be known; the kernel would hand out megabytes. */
const MAX_ARGV_BYTES = 64 * 1024;

export function readIdentity(files: KernelFiles, folder: string): Identity {
  return { uid: readUid(files, folder), argv: readArgv(files, folder) };
}

function readUid(files: KernelFiles, folder: string): number | null {
  const status = files.bytes(`${folder}/status`);
  const line = status === undefined ? null : /^Uid:\t\d+\t(\d+)/m.exec(status.toString("latin1"));
  return line === null ? null : Number(line[1]);
}

function readArgv(files: KernelFiles, folder: string): readonly string[] | null {
  const found = files.look(`${folder}/cmdline`);
  if ("missing" in found) return found.missing === "closed" ? null : [];
  const text = found.text.slice(0, MAX_ARGV_BYTES);
  if (text === "") return [];
  // Each argument ends in a NUL. Programs that write over theirs (nginx, sshd) leave one text, padded with NULs.
  const end = /\0*$/.exec(text)?.index ?? text.length;
  const isPadded = text.length - end > 1;
  return isPadded && !text.slice(0, end).includes("\0") ? [text.slice(0, end)] : withoutLast(text).split("\0");
}

function withoutLast(text: string): string {
  return text.endsWith("\0") ? text.slice(0, -1) : text;
}
