import type { Bytes } from "@llmc/names";
import { kindOf, type Kind } from "../kernel/kind.js";
import { inFolder, lstat, type Descriptor, type Stat, type Work } from "../kernel/syscalls.js";
import type { Progress } from "./progress.js";
import { walkBelow } from "./walk-below.js";

export interface Survey {
  /** All that lies below. */
  readonly entries: number;
  /** The room it takes on the disk. */
  readonly bytes: number;
  /** The first thing that is neither file nor folder nor link: it can be renamed, but not copied. */
  readonly special: { readonly way: readonly Bytes[]; readonly kind: Kind } | undefined;
}

/** One thing of the tree: the names that lead to it, its own last. */
export interface Surveyed {
  readonly way: () => Bytes[];
  readonly stat: Stat;
  readonly kind: Kind;
  /** Of a folder: itself, held while it is judged. */
  readonly held?: Descriptor;
}

export interface SurveyOptions {
  readonly shown: string;
  readonly progress: Progress;
  /** Judges each entry; what it throws ends the survey. */
  readonly each?: (entry: Surveyed) => Work<void> | undefined;
}

const BLOCK = 512;

/** Counts what lies below a folder, and changes nothing. */
export function* survey(top: Descriptor, { shown, progress, each }: SurveyOptions): Work<Survey> {
  let [entries, bytes] = [0, 0];
  let special: Survey["special"];
  const add = function* (entry: Omit<Surveyed, "kind">): Work<void> {
    const kind = kindOf(entry.stat);
    entries += 1;
    bytes += roomOf(entry.stat);
    if (kind !== "file" && kind !== "folder" && kind !== "link") special ??= { way: entry.way(), kind };
    const judged = each?.({ ...entry, kind });
    if (judged !== undefined) yield* judged;
    progress.tick(() => `${entries} entries found`);
  };
  yield* walkBelow(
    top,
    {
      *leaf({ parent, name, way }) {
        const stat = yield* lstat(parent.mount, inFolder(parent, name));
        if (stat !== undefined) yield* add({ way, stat });
      },
      enter: ({ way, stat, held }) => add({ way, stat, held }),
    },
    { shown },
  );
  return { entries, bytes, special };
}

export function roomOf({ blocks }: Stat): number {
  return Number(blocks) * BLOCK;
}
