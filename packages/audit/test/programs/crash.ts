import { join } from "node:path";
import { openDatabase } from "@llmc/handles";
import { createAudit } from "../../src/flow/audit.js";
import { createLogger } from "../../src/log/log.js";
import { record } from "../fixture-record.js";

const [dir = ""] = process.argv.slice(2);
const audit = createAudit({
  database: () => openDatabase({ dataDir: dir, warn: () => {} }),
  log: createLogger({ format: "json", level: "info", includeCorrelationId: true }),
  enabled: true,
  metricsEnabled: true,
  csv: { path: join(dir, "audit.csv") },
  version: "1.2.3",
  retentionDays: 0,
});
process.on("uncaughtException", () => {
  audit.flushSync();
  process.exit(70);
});
audit.sink(record({ sessionId: "warm" }));
await audit.flush();
for (let n = 0; n < 3; n += 1) audit.sink(record({ sessionId: String(n) }));
// The first of them is being measured when it happens.
void audit.flush();
throw new Error("crash");
