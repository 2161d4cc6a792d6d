// What the SDK costs by itself: its low-level server, its stdio transport, and one tool that does nothing.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const server = new Server({ name: "bare", version: "0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: "noop", inputSchema: { type: "object" as const } }],
}));
server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: "text" as const, text: '{"ok":true}' }] }));
await server.connect(new StdioServerTransport());
