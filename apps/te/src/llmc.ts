#!/usr/bin/env node
// llmc is for the person who sets up and watches what te and the servers do. A new subcommand is a row of the table; its
// code is loaded when it is called, and reads its own flags.
import { CLOSING_FLAGS, endRefused, helpText, parseCommandLine, UsageError, type Program } from "@llmc/cli";
import { VERSION } from "@llmc/linux-ops";
import { writeLast } from "./run/write.js";

interface Subcommand {
  readonly help: string;
  /** Returns the text for stdout. */
  readonly run: (argv: readonly string[]) => Promise<string>;
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  filters: {
    help: "List your filters of command output, and check them.",
    run: async (argv) => (await import("./filters/command.js")).filters(argv),
  },
  hook: {
    help: "Shorten the output of a coding agent's own shell: show, install, uninstall.",
    run: async (argv) => (await import("./hook/command.js")).hook(argv),
  },
};

const LLMC: Program = {
  name: "llmc",
  version: VERSION,
  summary: "sets up and shows what is around te and the servers.",
  usage: ["SUBCOMMAND …"],
  flags: CLOSING_FLAGS,
  commands: {
    ...Object.fromEntries(Object.entries(SUBCOMMANDS).map(([name, { help }]) => [name, help])),
    help: "Show this.",
  },
  notes: ["`llmc SUBCOMMAND --help` tells more. Commands with shorter output: `te --help`."],
  examples: ["llmc hook show claude-code"],
};

try {
  await writeLast(process.stdout, await llmc(process.argv.slice(2)));
} catch (thrown) {
  endRefused(LLMC.name, thrown);
}

async function llmc([name, ...rest]: readonly string[]): Promise<string> {
  if (name === undefined) return helpText(LLMC);
  if (Object.hasOwn(SUBCOMMANDS, name)) return (await SUBCOMMANDS[name]?.run(rest)) ?? "";
  const line = parseCommandLine(LLMC, [name]);
  if (line.has("version")) return `${VERSION}\n`;
  if (line.folders.length > 0)
    throw new UsageError(`unknown command ${JSON.stringify(name)}; --help lists what there is`);
  return helpText(LLMC);
}
