import type { Bytes } from "@llmc/names";
import type { FoundBy } from "../query/names-query.js";

/** One way to understand a pattern. It is asked folder by folder, as a walk meets them. */
export interface Trial {
  readonly by: FoundBy;
  /** What goes first among places of the same kind. */
  readonly order: "short" | "shallow";
  /** The names that follow lie in this folder. False: none of them can match. */
  enter(way: Bytes): boolean;
  /** The place of the match, or NO_MATCH. It is asked of every name, so it costs next to nothing where there is none. */
  place(name: Bytes, isFolder: boolean): number;
}
