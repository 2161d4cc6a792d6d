import type { Dir } from "node:fs";
import { PROC_FD } from "../kernel/proc-fd.js";
import { listedKindOf } from "../kernel/kind.js";
import { LISTED_AT_ONCE, type Listed } from "../kernel/listing.js";
import { inFolder, lstat, readdir, type Descriptor, type Work } from "../kernel/syscalls.js";

type Visit = (some: readonly Listed[]) => Work<void>;

/**
 * What a folder holds, some of it at a time, so that a million names are never in memory at once. What is removed
 * meanwhile takes nothing else out of the list. On a network mount all names come at once: other threads than ours
 * make the calls there, and a listing cannot change threads.
 */
export function* eachListed(folder: Descriptor, visit: Visit): Work<void> {
  if (folder.mount !== null) return yield* eachOfAll(folder, visit);
  const listing = (yield { mount: null, name: "openListing", args: [`${PROC_FD}/${folder.fd}/.`] }) as Dir;
  try {
    for (;;) {
      const some = (yield { mount: null, name: "list", args: [], listing }) as Listed[];
      if (some.length === 0) return;
      yield* visit(some);
    }
  } finally {
    yield { mount: null, name: "closeListing", args: [], listing };
  }
}

/** Whether a folder holds nothing. */
export function* isEmpty(folder: Descriptor): Work<boolean> {
  if (folder.mount !== null) return (yield* readdir(folder.mount, inFolder(folder, "."))).length === 0;
  const listing = (yield { mount: null, name: "openListing", args: [`${PROC_FD}/${folder.fd}/.`] }) as Dir;
  try {
    return ((yield { mount: null, name: "list", args: [], listing }) as Listed[]).length === 0;
  } finally {
    yield { mount: null, name: "closeListing", args: [], listing };
  }
}

function* eachOfAll(folder: Descriptor, visit: Visit): Work<void> {
  const names = yield* readdir(folder.mount, inFolder(folder, "."));
  for (let at = 0; at < names.length; at += LISTED_AT_ONCE) {
    const some: Listed[] = [];
    for (const name of names.slice(at, at + LISTED_AT_ONCE)) {
      const found = yield* lstat(folder.mount, inFolder(folder, name));
      if (found === undefined) continue;
      const kind = listedKindOf(found);
      some.push({ name, isFolder: kind === "folder", kind });
    }
    yield* visit(some);
  }
}
