// A server over HTTP as another package would compose it: linux-ops and a module beside it.
import { CLOSING_FLAGS, COMMON_FLAGS, loadOptionsOf, runProgram, runServer, type Program } from "@llmc/cli";
import { loadConfig } from "@llmc/config";
import { linuxModule } from "@llmc/linux-ops";
import { serveHttp } from "../../../../apps/mcp-http/src/serve.js";
import { greeter } from "./greeter.js";

const PROGRAM: Program = {
  name: "greeter-http",
  version: "1.2.3",
  summary: "greets.",
  flags: [...COMMON_FLAGS, { name: "port", value: "PORT", help: "The port." }, ...CLOSING_FLAGS],
  commands: {},
  examples: [],
};

await runProgram(PROGRAM, process.argv.slice(2), async (line) => {
  const settings = await loadConfig({ ...loadOptionsOf(line), port: Number(line.one("port")), transport: "http" });
  const modules = [linuxModule, greeter(`${settings.home}/greeter.log`)];
  await runServer(PROGRAM, { settings, modules }, async ({ services, log, ending }) => {
    await serveHttp({
      services,
      settings,
      version: PROGRAM.version,
      token: process.env["LLMC_MCP_TOKEN"] ?? null,
      tls: null,
      portAsked: true,
      log,
      ending,
      onListening: ({ port }) => process.stderr.write(`http://127.0.0.1:${port}/mcp\n`),
    });
  });
});
