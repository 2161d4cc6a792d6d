import type { Remedy } from "@llmc/errors";
import type { Boundary } from "@llmc/te-path";
import type { WantedConfig } from "@llmc/te-shell";
import type { CommandContext } from "../launch/context.js";

/**
 * Takes over what git wrote into copies of the configs that are guarded from the command. Returns a remedy that names the
 * keys that were not taken over.
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
    // The command names the folder: it counts only if it is one that was guarded when the command began.
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
