import { constants } from "node:fs";
import { InvalidPathError, IsDirectoryError } from "@llmc/errors";
import { close, fstat, open, type Bytes, type Descriptor, type Stat, type Steps } from "../kernel/syscalls.js";
import type { Asked } from "./argument.js";
import { KIND, walk, type Tree } from "./walk.js";

export interface OpenedRegular {
  readonly file: Descriptor;
  readonly stat: Stat;
  readonly real: Bytes;
}

// NONBLOCK: a file under a lease would make us wait for its holder.
const READ = constants.O_RDONLY | constants.O_NONBLOCK;
const OTHERS = new Map<bigint, string>([
  [0o010000n, "a FIFO"],
  [0o020000n, "a character device"],
  [0o060000n, "a block device"],
  [0o140000n, "a socket"],
]);

/** Opens a file for reading, and nothing else: what is no regular file is never opened, so it can neither block nor start. */
export function* openRegular(tree: Tree, asked: Asked): Steps<OpenedRegular> {
  const { entry, stat, real } = yield* walk(tree, asked);
  try {
    refuseUnlessRegular(stat, asked.shown);
    // Through the descriptor that was judged, not by name: it is the same file whatever the name means by now.
    const file = yield* open(entry.mount, `/proc/self/fd/${entry.fd}`, READ);
    try {
      return { file, stat: yield* fstat(file), real };
    } catch (thrown) {
      yield* close(file);
      throw thrown;
    }
  } finally {
    yield* close(entry);
  }
}

function refuseUnlessRegular({ mode }: Stat, shown: string): void {
  const kind = mode & KIND;
  if (kind === 0o100000n) return;
  if (kind === 0o040000n) throw new IsDirectoryError(shown, "List it instead.");
  throw new InvalidPathError(
    shown,
    `is ${OTHERS.get(kind) ?? "no regular file"}, not a file`,
    "Only regular files are read.",
  );
}
