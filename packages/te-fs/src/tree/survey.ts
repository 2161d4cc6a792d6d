import { kindOf, type Kind } from "../kernel/kind.js";
import { inFolder, lstat, type Bytes, type Descriptor, type Stat, type Steps } from "../kernel/syscalls.js";
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
}

export interface SurveyOptions {
  readonly shown: string;
  readonly progress: Progress;
  /** Judges each entry; what it throws ends the survey. */
  readonly each?: (entry: Surveyed) => Steps<void>;
}

const BLOCK = 512;

/** Counts what lies below a folder, and changes nothing. */
export function* survey(top: Descriptor, { shown, progress, each }: SurveyOptions): Steps<Survey> {
  let [entries, bytes] = [0, 0];
  let special: Survey["special"];
  const add = function* (way: () => Bytes[], stat: Stat): Steps<void> {
    const kind = kindOf(stat);
    entries += 1;
    bytes += roomOf(stat);
    if (kind !== "file" && kind !== "folder" && kind !== "link") special ??= { way: way(), kind };
    if (each !== undefined) yield* each({ way, stat, kind });
    progress.tick(() => `${entries} entries found`);
  };
  yield* walkBelow(
    top,
    {
      *leaf({ parent, name, way }) {
        const stat = yield* lstat(parent.mount, inFolder(parent, name));
        if (stat !== undefined) yield* add(way, stat);
      },
      enter: ({ way, stat }) => add(way, stat),
    },
    { shown },
  );
  return { entries, bytes, special };
}

export function roomOf({ blocks }: Stat): number {
  return Number(blocks) * BLOCK;
}
