import type { Group } from "../context.js";
import { filesInProcess } from "./files-in-process.js";
import { filesThroughMcp } from "./files-mcp.js";

/** Lists and changes, in process and through MCP stdio. What is written lies on a disk, the servers' own state too. */
export const files: Group = async (context) => [
  ...(await filesInProcess(context)),
  ...(await filesThroughMcp(context)),
];
