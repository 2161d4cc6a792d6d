// The linux.* tools, as a tool module and as a library.
//
// The decision: a tool is a value, and nothing but the composition opens anything. A tool names its schemas and a handler;
// the handler gets open services in its context and shapes the answers of the te-* packages. So one definition serves
// MCP over stdio, MCP over HTTP, POST /tool, the library and the docs, and a test opens few services.
export { linuxTools, type LinuxToolName } from "./compose/catalogue.js";
export {
  createLinuxOps,
  type LinuxOps,
  type LinuxOpsCall,
  type LinuxOpsOptions,
  type LinuxToolArgs,
  type LinuxToolResult,
  type ToolArgs,
  type ToolResult,
} from "./compose/create.js";
export { linuxModule } from "./compose/linux-module.js";
export type { ServedModule } from "./compose/open-modules.js";
export { openServices, type Services, type ServicesOptions } from "./compose/services.js";
export type { HealthReport, SharedServices } from "./context/shared-services.js";
export { VERSION } from "./version.js";
