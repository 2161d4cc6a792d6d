import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocks } from "../../../src/locks/locks.js";

// Adds the next number to a list, over and over: read it, do something else, add a line. Nothing but the lock keeps two
// processes from adding the same number.
const [dir = "", list = ""] = process.argv.slice(2);
const locks = createLocks({ dir, waitMs: 60_000 });
process.stdout.write("ready\n");
for (;;) {
  await using _lock = await locks.hold("list", { shown: "list" });
  const last = Number(readFileSync(list, "latin1").trimEnd().split("\n").at(-1));
  await (Math.random() < 0.5 ? sleep(Math.random() * 4) : Promise.resolve());
  appendFileSync(list, `${last + 1}\n`);
}
