// Counts in how many comments of each package the old habits of wording are left, and fails where a share got worse
// than its row in prose.json, or where a package without a row is not within the final bounds: "starts with
// What/Where/Who" 0.5 %, "what is/was/has/it/they" 1 %, "whoever/nobody/somebody" 0.5 %, "is no, are no" 1 %,
// "of it/them/one" 2 %.
//
// `--write` stores better shares and new packages that are within the bounds, and never a worse share. Moved files take
// their comments along, so `--write --accept-moves` stores all shares as they are, unless one got worse in all packages
// together, which no move can do.
import { proseReport, type Mode } from "./prose/report.js";
import { print } from "./report.js";
import { ROOT } from "./workspace.js";

print("prose", proseReport(ROOT, mode()));

function mode(): Mode {
  if (!process.argv.includes("--write")) return "check";
  return process.argv.includes("--accept-moves") ? "accept moves" : "write";
}
