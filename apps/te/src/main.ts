#!/usr/bin/env node
// te runs a command as the shell would, and shortens its output where no terminal shows it.
//
// The decision: te adds little more than the start of Node to a command. So this file and the files that it names load
// nothing but what starts a program and holds its output; the rest is imported once an output has to be shortened.
import { existsSync, fstatSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { endRefused, helpText } from "@llmc/cli";
import { readAsked, type AskedHandle } from "./command-line/asked.js";
import { TE } from "./command-line/program.js";
import { runCommand } from "./run/run-command.js";
import { writeLast } from "./run/write.js";

try {
  await te(process.argv.slice(2));
} catch (thrown) {
  endRefused(TE.name, thrown);
}

async function te(argv: readonly string[]): Promise<void> {
  const asked = readAsked(argv);
  if (asked.kind === "help") await writeLast(process.stdout, helpText(TE));
  else if (asked.kind === "version") await writeLast(process.stdout, `${TE.version}\n`);
  else if (asked.kind === "handle") await show(asked);
  else
    await runCommand(asked, {
      isMerged: isMerged(),
      agentId: process.env["TE_AGENT_ID"] ?? "te",
      hasFilters: hasFilters(),
    });
}

async function show(asked: AskedHandle): Promise<void> {
  const { partOf } = await import("./handle/show-handle.js");
  const part = await partOf(asked);
  await writeLast(process.stdout, part);
  if (part.length > 0 || asked.match === undefined) return;
  process.stderr.write(`te: no line of ${asked.handle} matches\n`);
  process.exitCode = 1;
}

/** Looks for the folder of filters, because the configuration is loaded only for filters. */
function hasFilters(): boolean {
  return existsSync(join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "llmc/filters"));
}

/** Tells whether stdout and stderr lead to the same place, as with 2>&1. */
function isMerged(): boolean {
  // Bigints, because after other numbers of a pipe realpathSync of Node 20 no longer follows links it knows.
  const [out, err] = [fstatSync(1, { bigint: true }), fstatSync(2, { bigint: true })];
  return out.dev === err.dev && out.ino === err.ino;
}
