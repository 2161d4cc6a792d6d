import { readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { openFiles } from "../../../src/index.js";
import { OWNER } from "../../../../te-undo/test/undo/acts.js";

// Changes all files of a folder by one diff, there and back, and stops dead once only some of them are changed.
const [root = "", stateDir = ""] = process.argv.slice(2);
const names = readdirSync(root);
const files = openFiles({ roots: [root], stateDir, home: "/nonexistent-home", homes: [] });
const wait = new Int32Array(new SharedArrayBuffer(4));
watch(root, () => {
  const contents = new Set(names.map((name) => readFileSync(join(root, name), "utf8")));
  if (contents.size === 2) process.stdout.write("half\n", () => Atomics.wait(wait, 0, 0));
});
const diff = (from: string, to: string): string =>
  names.map((name) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${from}\n+${to}\n`).join("");
for (;;) {
  await files.applyDiff(diff("old", "new"), { ...OWNER, session: "theirs", maxBytes: 1_000_000 });
  await files.applyDiff(diff("new", "old"), { ...OWNER, session: "theirs", maxBytes: 1_000_000 });
}
