export { linuxTools, type LinuxToolName } from "./catalogue.js";
export {
  createLinuxOps,
  type LinuxOps,
  type LinuxOpsCall,
  type LinuxOpsOptions,
  type LinuxToolArgs,
  type LinuxToolResult,
} from "./create.js";
export { openServices, type Services, type ServicesOptions } from "./services.js";
export { VERSION } from "./version.js";
