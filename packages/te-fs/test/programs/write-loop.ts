import { openFiles } from "../../src/index.js";

// Rewrites one file over and over, each time with nothing but one letter, until it is killed.
const [root = "", stateDir = ""] = process.argv.slice(2);
const files = openFiles({ roots: [root], home: "/nonexistent-home", homes: [], stateDir });
process.stdout.write("ready\n");
for (let turn = 0; ; turn++) {
  const content = Buffer.alloc(200_000, "abcdefgh"[turn % 8]);
  await files.write("f", content, { owner: "o", session: "s", mode: "rewrite" });
}
