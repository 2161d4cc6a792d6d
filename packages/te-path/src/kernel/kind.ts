import type { ListedKind } from "./listing.js";
import type { Stat } from "./syscalls.js";

export type Kind = "file" | "folder" | "link" | "fifo" | "socket" | "character device" | "block device" | "unknown";

const KINDS = new Map<bigint, Kind>([
  [0o100000n, "file"],
  [0o040000n, "folder"],
  [0o120000n, "link"],
  [0o010000n, "fifo"],
  [0o140000n, "socket"],
  [0o020000n, "character device"],
  [0o060000n, "block device"],
]);

export function kindOf({ mode }: Pick<Stat, "mode">): Kind {
  return KINDS.get(mode & 0o170000n) ?? "unknown";
}

/** As a listing tells it: what is neither file, folder nor link has no content of its own. */
export function listedKindOf(stat: Stat | undefined): ListedKind {
  const kind = stat === undefined ? "unknown" : kindOf(stat);
  return kind === "file" || kind === "folder" || kind === "link" ? kind : "other";
}
