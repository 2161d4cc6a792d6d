import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { csvFile } from "../../src/csv/csv-file.js";

const [path = "", name = ""] = process.argv.slice(2);
const file = csvFile({ path, retentionDays: 3 });
process.send?.("ready");
await once(process, "message");
for (let number = 0; number < 500; number += 5) {
  const lines = [0, 1, 2, 3, 4].map((more) => `"${name}","${number + more}","${"x".repeat(100)}"\n`);
  file.append(lines.join(""));
  await nextTurn();
}
file.close();
process.disconnect();
