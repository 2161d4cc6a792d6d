import { CLOSING_FLAGS, COMMON_COMMANDS, COMMON_FLAGS, type Program } from "@llmc/cli";
import { VERSION } from "@llmc/linux-ops";

export const PROGRAM: Program = {
  name: "llmc-mcp-stdio",
  version: VERSION,
  summary: "gives one MCP client this machine, contained, over stdin and stdout.",
  flags: [...COMMON_FLAGS, ...CLOSING_FLAGS],
  commands: COMMON_COMMANDS,
  examples: [
    "llmc-mcp-stdio ~/src",
    "llmc-mcp-stdio --root /srv/data --read-only",
    "claude mcp add linuxops -- llmc-mcp-stdio --root ~/src",
    "llmc-mcp-stdio config",
  ],
};
