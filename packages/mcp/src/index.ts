export { createHttpMcp, type HttpCaller, type HttpMcp } from "./http/http-mcp.js";
export type { ClientInfo, McpOptions, Timing } from "./options.js";
export { serveStdio, type StdioOptions } from "./stdio/serve.js";
