import { createTemps } from "../../../src/temps/temps.js";

// Names and names, until they cannot be written down any more; says why, and how many could be.
const [dir = ""] = process.argv.slice(2);
let problem: string | undefined;
const temps = createTemps({ dir, onProblem: (message) => (problem = message) });
let count = 0;
for (; problem === undefined; count++) temps.name("/data/some/folder");
process.stdout.write(`${problem}\n${count - 1}\nready\n`);
process.stdin.resume();
