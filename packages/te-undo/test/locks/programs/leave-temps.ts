import { mkdirSync, writeFileSync } from "node:fs";
import { createTemps } from "../../../src/temps/temps.js";

// Makes a file and a folder under temporary names and, told so by its parent's silence, never gets to rename them.
const [dir = "", ...folders] = process.argv.slice(2);
const temps = createTemps({ dir });
for (const folder of folders) {
  const bytes = Buffer.from(folder, "utf8").toString("latin1");
  const path = (name: string): Buffer => Buffer.from(`${bytes}/${name}`, "latin1");
  writeFileSync(path(temps.name(bytes)), "half of a file");
  const tree = temps.name(bytes);
  mkdirSync(path(tree));
  writeFileSync(path(`${tree}/part`), "part of a copy");
  const finished = temps.name(bytes);
  temps.done(bytes, finished);
}
process.stdout.write("ready\n");
process.stdin.resume();
