import { CLOSING_FLAGS, COMMON_COMMANDS, COMMON_FLAGS, type Program } from "@llmc/cli";
import { VERSION } from "@llmc/linux-ops";

export const PROGRAM: Program = {
  name: "llmc-mcp-http",
  version: VERSION,
  summary: "gives AI agents this machine, contained, over HTTP (MCP and REST).",
  flags: [
    ...COMMON_FLAGS,
    { name: "default-root", value: "DIR", help: "The only root where no other is configured." },
    { name: "host", value: "HOST", help: "The address to bind (127.0.0.1)." },
    { name: "port", value: "PORT", help: "The port to bind (8080); 0 takes any free one." },
    { name: "show-token", help: "Print the token that clients must send, and end." },
    { name: "new-token", help: "Replace the kept token by a new one." },
    ...CLOSING_FLAGS,
  ],
  commands: COMMON_COMMANDS,
  examples: [
    "llmc-mcp-http --root ~/src",
    "llmc-mcp-http --root /srv --read-only --port 9000",
    "LLMC_MCP_TOKEN=… llmc-mcp-http --root /srv --host 0.0.0.0 --set mcp.server.allowed_hosts=box.lan",
    "llmc-mcp-http config",
  ],
};
