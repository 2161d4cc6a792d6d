import { readFileSync } from "node:fs";
import { csvFile } from "../../src/csv/csv-file.js";

const [path = ""] = process.argv.slice(2);
const file = csvFile({ path, retentionDays: 0 });
const line = `"${"x".repeat(998)}"\n`;
let problem: unknown = null;
try {
  for (let number = 0; number < 100; number += 1) file.append(line);
} catch (thrown) {
  problem = (thrown as Error).message;
}
const wholeBefore = readFileSync(path, "utf8").endsWith(line);
file.append('"short"\n');
process.stdout.write(JSON.stringify({ problem, wholeBefore }));
