import { rmSync } from "node:fs";
import { createTemps } from "../../../src/temps/temps.js";

// A data dir that cannot be used until there are more names than then fit into a file.
const [dir = ""] = process.argv.slice(2);
const temps = createTemps({ dir });
let count = 0;
for (; count < 99; count++) temps.name("/data/some/folder");
rmSync(dir);
temps.name("/data/some/folder");
process.stdout.write(`${count + 1} names\nready\n`);
process.stdin.resume();
