import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sourceLines, textOf } from "./source.js";
import type { Task } from "./task.js";

const NOUNS =
  "account address cache client config coupon customer event header invoice job message order payment product queue refund session shipment ticket";
const KINDS = "builder client errors filter mapper parser reader schema store writer";
const NAMES = NOUNS.split(" ").flatMap((noun) => KINDS.split(" ").map((kind) => `${noun}-${kind}.ts`));

export const listFolder: Task = {
  name: "list a folder of 200 files",
  prepare(folder) {
    for (const [index, name] of NAMES.entries())
      writeFileSync(join(folder, name), textOf(sourceLines(1 + (index % 12))));
  },
  ways: {
    ours: (talk, path) => talk.call("linux_fs_list", { path }),
    filesystem: (talk, path) => talk.call("list_directory", { path }),
    commander: (talk, path) => talk.call("list_directory", { path }),
  },
  isDone: (_folder, answer) => NAMES.every((name) => answer.includes(name)),
};
