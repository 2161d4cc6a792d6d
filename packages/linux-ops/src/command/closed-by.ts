import type { Boundary } from "@llmc/te-path";
import type { Files } from "@llmc/te-fs";
import type { ClosedToCommands } from "@llmc/te-shell";

/** What a command is kept from. */
export async function closedBy(files: Files, { guarded, pinned }: Boundary): Promise<ClosedToCommands> {
  return { hidden: await files.shut(), pinned, guarded: guarded.map(({ path }) => path) };
}
