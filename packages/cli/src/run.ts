import { loadConfig, printToml, type LoadOptions } from "@llmc/config";
import type { Program } from "./command.js";
import { helpText } from "./help.js";
import { parseCommandLine, type CommandLine } from "./parse.js";
import { endRefused } from "./refusal.js";

/**
 * Runs a program: answers help, version and config without a server, serves otherwise, and turns a refusal into exit
 * code 2.
 */
export async function runProgram(
  program: Program,
  argv: readonly string[],
  serve: (line: CommandLine) => Promise<void>,
): Promise<void> {
  try {
    const line = parseCommandLine(program, argv);
    if (line.has("help") || line.command === "help") print(helpText(program));
    else if (line.has("version")) print(`${program.version}\n`);
    else if (line.command.startsWith("config")) print(printToml(await loadConfig(loadOptionsOf(line))));
    else await serve(line);
  } catch (thrown) {
    endRefused(program.name, thrown);
  }
}

/** What the common flags mean to the configuration. */
export function loadOptionsOf(line: CommandLine): LoadOptions {
  return {
    file: line.one("config"),
    set: line.all("set"),
    roots: [...(line.all("root") ?? []), ...line.folders],
    readOnly: line.has("read-only"),
    dataDir: line.one("data-dir"),
  };
}

function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}
