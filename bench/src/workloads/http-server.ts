// Our HTTP server around a tool that does nothing. Its limits on rates are lifted: they are not what is measured.
import { join } from "node:path";
import { VERSION } from "@llmc/linux-ops";
import { serveHttp } from "../../../apps/mcp-http/src/serve.js";
import { openNoopServices } from "./noop-services.js";

const [root = "/nowhere", token = ""] = process.argv.slice(2);
const services = openNoopServices({
  roots: [root],
  dataDir: join(process.cwd(), "state"),
  mcp: {
    server: { host: "127.0.0.1", port: 0 },
    limits: { rate_limit_rps: 1_000_000, rate_limit_burst: 1_000_000, concurrency_per_token: 64 },
  },
});
await services.ready();
const ending = new AbortController();
process.stdin.resume().on("end", () => ending.abort());
await serveHttp({
  services,
  settings: services.settings,
  version: VERSION,
  token,
  tls: null,
  portAsked: true,
  log: services.log,
  ending: { signal: ending.signal, stop: () => ending.abort() },
  onListening: ({ port }) => process.stdout.write(`${JSON.stringify({ id: 0, result: { port } })}\n`),
});
await services.close();
process.exit(0);
