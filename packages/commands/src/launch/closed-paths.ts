import type { Boundary } from "@llmc/te-path";
import type { ClosedPaths } from "@llmc/te-shell";
import type { CommandContext } from "./context.js";

const NOTHING: ClosedPaths = { hidden: [], guarded: [], pinned: [] };

/** Looks up the paths closed to a command in that folder. Only a sandbox enforces them, so without one none are looked up. */
export async function closedPaths(
  { commands, files, signal }: Pick<CommandContext, "commands" | "files" | "signal">,
  cwd: string,
  known?: Boundary,
): Promise<ClosedPaths> {
  if ((await (await commands()).sandbox()).kind === "off") return NOTHING;
  const { guarded, pinned } = known ?? (await files.boundary(cwd, signal));
  return { hidden: await files.shut(), pinned, guarded: guarded.map(({ path }) => path) };
}
