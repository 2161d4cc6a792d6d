export type { ClientInfo, McpOptions, Timing } from "./options.js";
export { serveStdio, type StdioOptions } from "./stdio/serve.js";
