import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, openDesk, OWNER, remove, rewrite } from "../acts.js";

// Fills a journal with content of all sizes until it is killed, in a folder of its own.
const [base = "", name = "", maxBytes = ""] = process.argv.slice(2);
const desk = openDesk(base, { maxBytes: Number(maxBytes) });
process.stdout.write("ready\n");
for (let turn = 0; ; turn++) {
  // Not the file of the turn before: killed here, somebody else would have changed that.
  const file = `${name}/file${turn % 50}`;
  writeFileSync(join(desk.root, file), Buffer.alloc(Math.random() ** 4 * 100_000, name));
  const change = desk.journal.begin({ ...OWNER, session: name, kind: "diff", paths: [file] });
  await desk.run(rewrite(desk, change, file, `${turn}`));
  if (turn % 5 === 0) {
    await desk.run(makeFolder(desk, change, `${name}/folder`));
    await desk.run(remove(desk, change, `${name}/folder`, Math.floor(Math.random() * 100_000)));
  }
  await desk.run(change.finish());
  if (turn % 100 === 0) process.stdout.write(".");
}
