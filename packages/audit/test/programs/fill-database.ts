import { join } from "node:path";
import { openDatabase } from "@llmc/handles";
import { createAudit } from "../../src/flow/audit.js";
import { record } from "../fixture-record.js";

const [dir = ""] = process.argv.slice(2);
const messages: string[] = [];
const database = await openDatabase({ dataDir: dir, warn: (message) => messages.push(message) });
const audit = createAudit({
  database: async () => database,
  log: null,
  enabled: true,
  metricsEnabled: true,
  csv: { path: join(dir, "audit.csv") },
  version: "1.2.3",
  retentionDays: 0,
  onProblem: (message) => messages.push(message),
});
let calls = 0;
for (; calls < 3_000; calls += 1) {
  audit.sink(record({ sessionId: "s".repeat(100), args: { path: `/srv/${"x".repeat(100)}` } }));
  if (calls % 500 === 499) await audit.flush();
}
await audit.close();
process.stdout.write(JSON.stringify({ calls, problems: audit.problems(), messages }));
