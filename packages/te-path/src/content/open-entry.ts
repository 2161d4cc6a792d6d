import { constants } from "node:fs";
import { PROC_FD } from "../kernel/proc-fd.js";
import { close, inFolder, open, type Descriptor, type Work } from "../kernel/syscalls.js";
import { LOOK } from "../scope/root.js";
import type { Target } from "../scope/target.js";

/** Names what lies at the spot without opening it, for as long as `work` takes. */
export function* withEntry<T>({ parent, name, entry: held }: Target, work: (entry: Descriptor) => Work<T>): Work<T> {
  if (held !== undefined) return yield* work(held);
  const entry = yield* open(parent.mount, inFolder(parent, name), LOOK);
  try {
    return yield* work(entry);
  } finally {
    yield* close(entry);
  }
}

/** Opens what the entry names, and nothing that has its name by now; for as long as `work` takes. */
export function* withOpen<T>(entry: Descriptor, flags: number, work: (file: Descriptor) => Work<T>): Work<T> {
  // NONBLOCK: a file under a lease would make us wait for its holder.
  const file = yield* open(entry.mount, `${PROC_FD}/${entry.fd}`, flags | constants.O_NONBLOCK);
  try {
    return yield* work(file);
  } finally {
    yield* close(file);
  }
}
