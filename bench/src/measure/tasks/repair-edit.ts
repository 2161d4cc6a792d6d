import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolAnswer } from "../mcp-server.js";
import { sourceLines, textOf } from "./source.js";
import type { Task } from "./task.js";

const FILE = "loaders.ts";
const LINES = sourceLines();
const AT = LINES.findIndex((line) => line.includes("cache.set(`invoice:"));
const THERE = LINES.slice(AT - 1, AT + 2);
const WANTED = THERE.with(1, "  client.cache.set(`invoice:${id}`, invoice, client.maxAge / 2);");
/** As it is remembered, or was before somebody else renamed something. */
const REMEMBERED = THERE.with(1, "  client.cache.set(`invoice:${id}`, invoice, client.ttlSeconds);");

interface Hands {
  edit(oldText: string, newText: string): Promise<ToolAnswer>;
  read(): Promise<ToolAnswer>;
}

export const repairEdit: Task = {
  name: "an edit that fails, and its repair",
  prepare: (folder) => writeFileSync(join(folder, FILE), textOf(LINES)),
  ways: {
    ours: (talk, folder) => {
      const path = join(folder, FILE);
      return repaired({
        edit: (old_text, new_text) => talk.call("linux_fs_patch_block", { path, old_text, new_text }),
        read: () => talk.call("linux_fs_read", { path }),
      });
    },
    filesystem: (talk, folder) => {
      const path = join(folder, FILE);
      return repaired({
        edit: (oldText, newText) => talk.call("edit_file", { path, edits: [{ oldText, newText }] }),
        read: () => talk.call("read_text_file", { path }),
      });
    },
    commander: (talk, folder) => {
      const path = join(folder, FILE);
      return repaired({
        edit: (old_string, new_string) => talk.call("edit_block", { file_path: path, old_string, new_string }),
        read: () => talk.call("read_file", { path }),
      });
    },
  },
  isDone: (folder) => readFileSync(join(folder, FILE), "utf8") === textOf(LINES.with(AT, WANTED[1] as string)),
};

/** The file is read only where the answer to the failed edit does not show what is there. */
async function repaired({ edit, read }: Hands): Promise<void> {
  const { text } = await edit(REMEMBERED.join("\n"), WANTED.join("\n"));
  if (!unmarked(text).includes(THERE[1] as string)) await read();
  await edit(THERE.join("\n"), WANTED.join("\n"));
}

/** Where only the characters that differ are marked, as Desktop Commander does, what is there can be read all the same. */
function unmarked(text: string): string {
  return text.replaceAll(/\{-[^]*?-\}\{\+([^]*?)\+\}/g, "$1");
}
