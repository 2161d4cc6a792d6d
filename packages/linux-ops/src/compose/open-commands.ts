import type { Settings } from "@llmc/config";
import type { Files } from "@llmc/te-fs";
import { openCommands, type Commands } from "@llmc/te-shell";

/** Opens the service that starts commands of models, within the operator's settings. */
export function openCommandService({ mcp, home, dataDir }: Settings, files: Files): Commands {
  const { commands } = mcp.linux_ops;
  return openCommands({
    lists: {
      allowed: commands.allowed_binaries,
      commands: mcp.tools.run_cmd_allowlist,
      unsafe: commands.unsafe_binaries,
      allowUnsafe: commands.allow_unsafe,
    },
    sandbox: commands.sandbox,
    // The services of the machine's loopback would take a command for a person.
    network: mcp.tools.allow_outbound_network && mcp.auth.mode !== "none",
    hostView: commands.host_view,
    pathExtra: commands.path_extra,
    sandboxRead: commands.sandbox_read,
    sandboxWrite: commands.sandbox_write,
    envPass: commands.env_pass,
    maxPids: commands.max_pids,
    maxMemoryMb: commands.max_memory_mb,
    home,
    roots: () => files.roots,
    stateDir: dataDir,
  });
}
