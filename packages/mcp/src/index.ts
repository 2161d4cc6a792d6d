// The endpoint answers MCP in plain values, and one folder, `sdk`, translates between them and the SDK. So the next
// major version of the SDK is one more folder, and the answers can be tested without a transport.

export { createRunning, type Running } from "./endpoint/running.js";
export { refuseRequest } from "./http/refuse.js";
export { createHttpMcp, type HttpCaller, type HttpMcp } from "./http-mcp.js";
export type { ClientInfo, McpOptions, Timing } from "./protocol/options.js";
export { serveStdio, type StdioOptions } from "./serve-stdio.js";
