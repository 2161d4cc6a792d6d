import { z } from "zod";
import { choice, choices, commandsOrUnset, flag, list, paths, seconds } from "./fields.js";

const DEFAULT_TOOLSETS = [
  "fs",
  "search",
  "patch",
  "proc",
  "repl",
  "sys",
  "handles",
  "stats",
  "onboarding",
  "te",
  "rag",
] as const;
/** Toolsets that the setting can name. */
export const TOOLSETS = [...DEFAULT_TOOLSETS, "compat", "linuxagent", "all"] as const;

export const tools = z
  .strictObject({
    names: choice(["underscore", "dotted", "auto"], "underscore", "Form of the tool names that MCP clients are shown."),
    toolsets: choices(TOOLSETS, DEFAULT_TOOLSETS, 'Groups of tools that are listed; "all" lists everything.'),
    allow: list([], "Only these tools can be called; empty: all."),
    deny: list([], "These tools cannot be called."),
    read_only: flag(false, "Only tools that change nothing can be called."),
    results: choice(["auto", "both", "text"], "auto", "Result parts an MCP client is sent; auto goes by the client."),
    output_schemas: flag(false, "List output schemas, and send structuredContent to every client."),
    confirm: choice(
      ["never", "auto", "require"],
      "never",
      "Ask a human before a destructive call; auto asks where the client can, require refuses where it cannot.",
    ),
    confirm_timeout_sec: seconds(300, "How long a confirmation may take."),
    enable_run_cmd: flag(true, "run_cmd, EXEC_CLI, te_run, run_tests and run_pytest can be called."),
    allowed_roots: paths("Folders that tools may use where linux_ops.roots.allowed_roots is unset.", {
      example: ["~/src"],
    }),
    allow_outbound_network: flag(true, "Commands may use the network."),
    run_cmd_allowlist: commandsOrUnset(
      "Programs for run_cmd and te_run; [] allows none. Unset: linux_ops.commands.allowed_binaries, else built in.",
      ["git", "rg", "ls"],
    ),
    exec_timeout: seconds(30, "Seconds for run_cmd and EXEC_CLI where the call names none."),
    read_timeout: seconds(10, "Seconds for a tool that only reads."),
    idle_timeout: seconds(60, "HTTP keep-alive seconds."),
  })
  .prefault({})
  .meta({ description: "What is listed, what can be called, and for how long." });
