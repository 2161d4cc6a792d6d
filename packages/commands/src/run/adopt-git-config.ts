import type { Remedy } from "@llmc/errors";
import type { Boundary } from "@llmc/te-path";
import type { WantedConfig } from "@llmc/te-shell";
import type { CommandContext } from "../launch/context.js";

/**
 * Merges changes that git wrote into copies of guarded configs into the configs. Returns a remedy that names the
 * refused keys.
 */
export async function adoptGitConfig(
  changes: readonly WantedConfig[],
  before: Boundary,
  context: Pick<CommandContext, "commands" | "files">,
): Promise<Remedy | undefined> {
  const commands = await context.commands();
  const refused: string[] = [];
  let isLost = false;
  for (const { folder, settings } of changes) {
    const path = `${folder}/config`;
    // The command may name any folder, so only configs guarded at its start count.
    const guarded = before.guarded.find((each) => each.path === path);
    if (guarded === undefined) continue;
    let isRead = false;
    await context.files.rewriteConfig(path, guarded.identity, async (current) => {
      isRead = true;
      const merged = await commands.mergeGitConfig(current, settings);
      refused.push(...merged.refused);
      return merged.content;
    });
    isLost ||= !isRead;
  }
  return refused.length > 0 || isLost ? { id: "git-keys-refused", keys: [...new Set(refused)] } : undefined;
}
