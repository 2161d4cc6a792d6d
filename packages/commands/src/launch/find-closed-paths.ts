import type { Boundary } from "@llmc/te-path";
import type { ClosedPaths } from "@llmc/te-shell";
import type { CommandContext } from "./context.js";

const NOTHING: ClosedPaths = { hidden: [], guarded: [], pinned: [] };

/** Returns the paths closed to a command in `cwd`; none without a sandbox, because only a sandbox closes them. */
export async function findClosedPaths(
  { commands, files, signal }: Pick<CommandContext, "commands" | "files" | "signal">,
  cwd: string,
  known?: Boundary,
): Promise<ClosedPaths> {
  if (!(await commands()).hasSandbox) return NOTHING;
  const { guarded, pinned } = known ?? (await files.boundary(cwd, signal));
  return { hidden: await files.shut(), pinned, guarded: guarded.map(({ path }) => path) };
}
