import { constants } from "node:fs";
import { InvalidPathError, IsDirectoryError } from "@llmc/errors";
import type { Bytes, RequestedPath } from "@llmc/names";
import { PROC_FD } from "../kernel/proc-fd.js";
import { kindOf } from "../kernel/kind.js";
import { close, fstat, open, type Descriptor, type Stat, type Work } from "../kernel/syscalls.js";
import { walk } from "./walk.js";
import { type Scope } from "./scope.js";

export interface OpenedRegular {
  readonly file: Descriptor;
  readonly stat: Stat;
  readonly real: Bytes;
}

// NONBLOCK: a file under a lease would make us wait for its holder.
const READ = constants.O_RDONLY | constants.O_NONBLOCK;
/** Opens a file for reading, and nothing else: what is no regular file is never opened, so it can neither block nor start. */
export function* openRegular(scope: Scope, asked: RequestedPath): Work<OpenedRegular> {
  const { entry, stat, real } = yield* walk(scope, asked);
  try {
    refuseUnlessRegular(stat, asked.shown);
    // Through the descriptor that was judged, not by name: it is the same file whatever the name means by now.
    const file = yield* open(entry.mount, `${PROC_FD}/${entry.fd}`, READ);
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

function refuseUnlessRegular(stat: Stat, shown: string): void {
  const kind = kindOf(stat);
  if (kind === "file") return;
  if (kind === "folder") throw new IsDirectoryError(shown, { id: "list-folder" });
  throw new InvalidPathError(
    shown,
    `is a ${kind === "fifo" ? "FIFO" : kind}, not a file`,
    "Only regular files are read.",
  );
}
