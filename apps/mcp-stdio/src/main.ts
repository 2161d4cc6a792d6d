#!/usr/bin/env node
// Each chat window starts a server of its own, so code that the first answer does not need is loaded later.
import { growLater } from "./small-start.js";
import { closeSync, realpathSync } from "node:fs";
import { loadOptionsOf, runProgram, runServer, watchParent, type CommandLine } from "@llmc/cli";
import { demandDataDir, loadConfig } from "@llmc/config";
import { envelopeModule } from "@llmc/envelope";
import { localOwner } from "@llmc/handles";
import { linuxModule } from "@llmc/linux-ops";
import { serveStdio } from "@llmc/mcp";
import { inheritedDescriptors } from "@llmc/te-run";
import { byHandNote } from "./by-hand.js";
import { PROGRAM } from "./program.js";
import { FIRST_WRITE, takeStdout } from "./protocol-stdout.js";

const PARENT_MS = 2000;
const PROBE_AFTER_MS = 250;

growLater();

// What a program of ours started would inherit from us, we should not have.
for (const descriptor of inheritedDescriptors()) closeSync(descriptor);

await runProgram(PROGRAM, process.argv.slice(2), serve);

async function serve(line: CommandLine): Promise<void> {
  const settings = await loadConfig({ ...loadOptionsOf(line), transport: "stdio" });
  if (!settings.mcp.enabled) {
    process.stderr.write(`${PROGRAM.name}: mcp.enabled is false, so nothing is served\n`);
    return;
  }
  demandDataDir(settings.dataDir);
  const stdout = takeStdout();
  await runServer(
    PROGRAM,
    { settings, modules: [linuxModule, envelopeModule] },
    async ({ services, ending, ...told }) => {
      watchParent(ending, PARENT_MS);
      process.stderr.write(told.summary + told.warnings);
      // Delays the probe, because the client waits for its first answer and then for the list of tools.
      stdout.once(FIRST_WRITE, () => setTimeout(told.probe, PROBE_AFTER_MS).unref());
      if (process.stdin.isTTY) process.stderr.write(noteFor(services.roots));
      await serveStdio({
        dispatcher: services.dispatcher,
        access: services.access,
        settings,
        version: PROGRAM.version,
        stdin: process.stdin,
        stdout,
        owner: localOwner(),
        signal: ending.signal,
      });
    },
  );
}

function noteFor(roots: readonly string[]): string {
  return byHandNote({
    version: PROGRAM.version,
    command: process.execPath,
    script: realpathSync(process.argv[1] ?? ""),
    roots,
  });
}
