import { z } from "zod";
import { flag } from "./fields.js";
import { linuxOps } from "./linux-ops.js";
import { rag } from "./rag.js";
import { docker, handles, observability, resources, te } from "./state.js";
import { tools } from "./tools.js";
import { auth, limits, server, session } from "./transport.js";

/** The `[mcp]` table. Everything else in the file belongs to other programs. */
export const mcpSchema = z
  .strictObject({
    enabled: flag(true, "false: the start ends with one line and exit code 0."),
    config_version: z
      .literal("v0")
      .default("v0")
      .meta({ description: "Version of this format; another value stops the start." }),
    server,
    auth,
    tools,
    rag,
    observability,
    limits,
    session,
    handles,
    te,
    resources,
    docker,
    linux_ops: linuxOps,
  })
  .meta({ description: "Everything of ours." });

export type McpConfig = z.output<typeof mcpSchema>;
export type McpInput = z.input<typeof mcpSchema>;
