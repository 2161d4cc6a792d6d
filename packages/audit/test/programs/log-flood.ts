import { spawnSync } from "node:child_process";
import { createLogger } from "../../src/log/log.js";

// Logs far more than a pipe holds, and tells on its channel that it is alive all the same.
const log = createLogger({ format: "json", level: "info", includeCorrelationId: true, destination: 2 });
// A child that shares stderr makes it blocking again: libuv does that in each child it starts.
spawnSync("true", { stdio: "inherit" });
for (let n = 0; n < 40_000; n += 1) log.info({ n, padding: "x".repeat(100) }, "line");
process.send?.("alive");
process.on("message", () => {});
