// Prints how large the packages are, how much of a package one file needs, and which folders import each other; fails
// where a package has more than 9,000 lines, a closure p50 of more than 800 or p90 of more than 2,500 lines, or a cycle of
// folders. `--names` lists the lines that name a tool where no tool may be named.
import { houseReport, linesWithToolWords } from "./house/report.js";
import { print } from "./report.js";
import { ROOT } from "./workspace.js";

print("house", houseReport(ROOT));
if (process.argv.includes("--names")) console.log(linesWithToolWords(ROOT).join("\n"));
