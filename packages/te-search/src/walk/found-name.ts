import type { ListedKind } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";

/** A name that was met, not followed where it is a link. */
export interface FoundName {
  readonly name: Bytes;
  /** "other": a FIFO, a socket, a device. Nobody opens it. */
  readonly kind: ListedKind;
  /** Only where they were asked for. */
  readonly size?: number;
  readonly mtimeMs?: number;
  /** What a link leads to inside the roots; only with `stats`. */
  readonly target?: "file" | "folder";
}
