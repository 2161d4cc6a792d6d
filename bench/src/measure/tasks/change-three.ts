import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diffOf } from "../versions.js";
import { sourceLines, textOf } from "./source.js";
import type { Task } from "./task.js";

const FILES = ["billing.ts", "checkout.ts", "support.ts"];
const BEFORE = sourceLines(6);
const AFTER = BEFORE.map((line) =>
  line.replace("loadInvoice(", "fetchInvoice(").replace("payment, client.maxAge", "payment, client.shortAge"),
);
/** One line each: no server wants more of them. */
const EDITS = BEFORE.flatMap((line, at) => (line === AFTER[at] ? [] : [[line, AFTER[at] as string] as const]));

export const changeThree: Task = {
  name: "two changes in each of 3 files",
  prepare(folder) {
    for (const file of FILES) writeFileSync(join(folder, file), textOf(BEFORE));
  },
  ways: {
    ours: (talk, cwd) =>
      talk.call("linux_fs_apply_diff", {
        diff_text: FILES.map((file) => diffOf(file, BEFORE, AFTER)).join(""),
        cwd,
      }),
    async filesystem(talk, folder) {
      const edits = EDITS.map(([oldText, newText]) => ({ oldText, newText }));
      for (const file of FILES) await talk.call("edit_file", { path: join(folder, file), edits });
    },
    async commander(talk, folder) {
      for (const file of FILES) {
        for (const [old_string, new_string] of EDITS)
          await talk.call("edit_block", { file_path: join(folder, file), old_string, new_string });
      }
    },
  },
  isDone: (folder) => FILES.every((file) => readFileSync(join(folder, file), "utf8") === textOf(AFTER)),
};
