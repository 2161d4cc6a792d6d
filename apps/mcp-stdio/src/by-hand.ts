export interface ByHand {
  readonly version: string;
  /** How this very program is started: the interpreter and the script. */
  readonly command: string;
  readonly script: string;
  readonly roots: readonly string[];
}

/** For somebody who typed the name of the server into a terminal and now waits for something to happen. */
export function byHandNote({ version, command, script, roots }: ByHand): string {
  const args = [script, ...(roots.length === 0 ? ["/path/to/folder"] : roots).flatMap((root) => ["--root", root])];
  const snippet = JSON.stringify({ mcpServers: { linuxops: { command, args } } }, null, 2);
  return [
    `LLMC LinuxOps ${version} speaks MCP on stdin and stdout: a client starts it, not a person.`,
    "",
    "Claude Desktop, in claude_desktop_config.json:",
    ...snippet.split("\n").map((line) => `  ${line}`),
    "",
    "Claude Code:",
    `  claude mcp add linuxops -- ${[command, ...args].map(word).join(" ")}`,
    "",
    "It is serving this terminal now; ctrl-c ends it. --help shows the flags.",
    "",
  ].join("\n");
}

function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
