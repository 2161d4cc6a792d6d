import { once } from "node:events";
import { register } from "node:module";
import { MessageChannel } from "node:worker_threads";

const { port1, port2 } = new MessageChannel();
register(new URL("record-resolutions.mjs", import.meta.url), { data: { port: port2 }, transferList: [port2] });
const urls: string[] = [];
port1.on("message", (url: string) => void urls.push(url));

const WANTED = ["@llmc/handles", "packages/handles", "drizzle-orm", "better-sqlite3", "sqlite", "audit/src/index"];
const seen = () => WANTED.filter((name) => urls.some((url) => url.includes(name)));

/** Resolutions are told in order: once the last one is here, so are those before it. */
async function until(last: string): Promise<void> {
  while (!urls.includes(last)) await once(port1, "message");
}

const { createAudit } = await import("../../src/index.js");
const { record } = await import("../fixture-record.js");
await import("node:zlib");
await until("node:zlib");
const afterImport = seen();

const audit = createAudit({
  database: async () => {
    const { openDatabase } = await import("@llmc/handles");
    return openDatabase({ dataDir: process.argv[2] ?? null, warn: () => {} });
  },
  log: null,
  enabled: true,
  metricsEnabled: true,
  csv: null,
  version: "1.2.3",
  retentionDays: 0,
});
audit.sink(record());
await audit.close();
await import("node:readline");
await until("node:readline");
process.stdout.write(JSON.stringify({ afterImport, afterFlush: seen() }));
process.exit(0);
