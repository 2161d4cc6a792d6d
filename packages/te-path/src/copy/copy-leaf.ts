import { InvalidPathError } from "@llmc/errors";
import { kindOf } from "../kernel/kind.js";
import {
  chownLink,
  inFolder,
  lstat,
  readlink,
  setLinkTime,
  symlink,
  type Descriptor,
  type Stat,
  type Work,
} from "../kernel/syscalls.js";
import { maybe } from "./copy-attributes.js";
import { copyFile, type CopyFileOptions } from "./copy-file.js";
import type { Name } from "./name.js";

/** The state that was copied, and what was made of it. */
export interface CopiedLeaf {
  readonly before: Stat;
  readonly made: Stat;
  /** Of a file's content. */
  readonly sha256?: string;
}

/** Copies what is no folder; `entry` names it whatever has its name by now. */
export function* copyLeaf(
  entry: Descriptor,
  stat: Stat,
  from: Name,
  to: Name,
  options: CopyFileOptions,
): Work<CopiedLeaf> {
  const kind = kindOf(stat);
  if (kind === "file") return yield* copyFile(entry, to, options);
  if (kind === "link") return yield* copyLink(stat, from, to);
  throw specialError(options.shown(), kind);
}

export function specialError(shown: string, kind: string): InvalidPathError {
  const what = kind === "fifo" ? "FIFO" : kind;
  return new InvalidPathError(shown, `is a ${what}, which cannot be copied`, "Delete it or copy what lies beside it.");
}

function* copyLink(before: Stat, from: Name, { folder, name }: Name): Work<CopiedLeaf> {
  const target = yield* readlink(from.folder.mount, inFolder(from.folder, from.name));
  const path = inFolder(folder, name);
  yield* symlink(folder.mount, target, path);
  yield* maybe(chownLink(folder.mount, path, Number(before.uid), Number(before.gid)));
  yield* setLinkTime(folder.mount, path, before.mtimeNs);
  const made = yield* lstat(folder.mount, path);
  return { before, made: made ?? before };
}
