export { linuxTools, type LinuxToolName } from "./compose/catalogue.js";
export {
  createLinuxOps,
  type LinuxOps,
  type LinuxOpsCall,
  type LinuxOpsOptions,
  type LinuxToolArgs,
  type LinuxToolResult,
} from "./compose/create.js";
export { openServices, type Services, type ServicesOptions } from "./compose/services.js";
export { VERSION } from "./version.js";
