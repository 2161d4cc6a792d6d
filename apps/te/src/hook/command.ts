import { homedir } from "node:os";
import { join } from "node:path";
import { CLOSING_FLAGS, helpText, parseCommandLine, StartError, UsageError, type Program } from "@llmc/cli";
import { VERSION } from "@llmc/linux-ops";
import { installed, settingsWith, uninstalled } from "./claude-code.js";
import { readSettings, writeSettings } from "./settings-file.js";

const HOOK: Program = {
  name: "llmc hook",
  version: VERSION,
  summary: "shortens the output of the Bash tool of a coding agent. It is off until it is installed.",
  usage: ["show|install|uninstall claude-code [--settings FILE] [--server NAME]"],
  flags: [
    { name: "settings", value: "FILE", help: "The settings to change (~/.claude/settings.json)." },
    { name: "server", value: "NAME", help: "Name of this MCP server in the client (linuxops)." },
    ...CLOSING_FLAGS,
  ],
  commands: {
    "show claude-code": "Print the JSON that install adds, and where.",
    "install claude-code": "Add it; everything else in the file stays as it is.",
    "uninstall claude-code": "Take it back.",
  },
  notes: [
    "Needs Claude Code 2.1.121 or newer, with the server connected and its toolset compat on: after each command of its",
    "Bash tool it calls te_shorten there, and shows the model the shorter output.",
  ],
  examples: ["llmc hook show claude-code", "llmc hook install claude-code --settings .claude/settings.json"],
};

/** Runs `llmc hook`, and returns its output. */
export function hook(argv: readonly string[]): string {
  const line = parseCommandLine(HOOK, argv);
  if (line.has("version")) return `${VERSION}\n`;
  if (line.has("help") || argv.length === 0) return helpText(HOOK);
  const [word = ""] = line.command.split(" ");
  const file = line.one("settings") ?? join(homedir(), ".claude", "settings.json");
  const server = line.one("server") ?? "linuxops";
  switch (word) {
    case "show":
      return `In ${file}:\n${JSON.stringify(settingsWith(server), null, 2)}\n`;
    case "install":
      return install(file, server);
    case "uninstall":
      return uninstall(file);
    default:
      throw new UsageError("show, install or uninstall claude-code; --help tells more");
  }
}

function install(file: string, server: string): string {
  const before = readSettings(file) ?? "{}\n";
  const after = changed(file, () => installed(before, server));
  if (after === before) return `The hook is already in ${file}.\n`;
  writeSettings(file, after);
  return [
    `The hook is in ${file}. Claude Code 2.1.121 or newer runs it; \`llmc hook uninstall claude-code\` takes it back.`,
    `It calls te_shorten of the server ${server}: add "compat" to the mcp.tools.toolsets of that server.`,
    "",
  ].join("\n");
}

function uninstall(file: string): string {
  const before = readSettings(file);
  const after = before === undefined ? before : changed(file, () => uninstalled(before));
  if (after === undefined || after === before) return `There is no hook of ours in ${file}.\n`;
  writeSettings(file, after);
  return `The hook is no longer in ${file}.\n`;
}

/** Names the file in a refusal. */
function changed(file: string, change: () => string): string {
  try {
    return change();
  } catch (thrown) {
    throw thrown instanceof UsageError ? new StartError(`${file}: ${thrown.message}`, thrown) : thrown;
  }
}
