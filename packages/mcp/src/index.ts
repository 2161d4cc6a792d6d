export { createHttpMcp, type HttpCaller, type HttpMcp } from "./http-mcp.js";
export type { ClientInfo, McpOptions, Timing } from "./protocol/options.js";
export { serveStdio, type StdioOptions } from "./serve-stdio.js";
