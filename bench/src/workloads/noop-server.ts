// Our stdio server around a tool that does nothing.
import { join } from "node:path";
import { serveStdio } from "@llmc/mcp";
import { VERSION } from "@llmc/linux-ops";
import { openNoopServices } from "./noop-services.js";

const services = openNoopServices({ roots: process.argv.slice(2), dataDir: join(process.cwd(), "state") });
const { dispatcher, access, settings } = services;
await serveStdio({
  dispatcher,
  access,
  settings,
  version: VERSION,
  stdin: process.stdin,
  stdout: process.stdout,
  owner: "user:bench",
});
await services.close();
