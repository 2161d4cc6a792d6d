// A server over stdio as another package would compose it: linux-ops and a module beside it.
import { CLOSING_FLAGS, COMMON_FLAGS, loadOptionsOf, runProgram, runServer, type Program } from "@llmc/cli";
import { loadConfig } from "@llmc/config";
import { linuxModule } from "@llmc/linux-ops";
import { serveStdio } from "@llmc/mcp";
import { greeter } from "./greeter.js";

const PROGRAM: Program = {
  name: "greeter-stdio",
  version: "1.2.3",
  summary: "greets.",
  flags: [...COMMON_FLAGS, ...CLOSING_FLAGS],
  commands: {},
  examples: [],
};

await runProgram(PROGRAM, process.argv.slice(2), async (line) => {
  const settings = await loadConfig({ ...loadOptionsOf(line), transport: "stdio" });
  const modules = [linuxModule, greeter(`${settings.home}/greeter.log`)];
  await runServer(PROGRAM, { settings, modules }, async ({ services: { dispatcher, access }, ending }) => {
    const { stdin, stdout } = process;
    const { version } = PROGRAM;
    await serveStdio({ dispatcher, access, settings, version, stdin, stdout, owner: "user:1", signal: ending.signal });
  });
});
