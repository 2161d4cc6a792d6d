import type { Boundary } from "@llmc/te-fs";
import type { ClosedToCommands } from "@llmc/te-shell";

/** What a command is kept from. */
export function closedBy({ hidden, guarded, pinned }: Boundary): ClosedToCommands {
  return { hidden, pinned, guarded: guarded.map(({ path }) => path) };
}
