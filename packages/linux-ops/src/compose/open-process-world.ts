import type { McpConfig } from "@llmc/config";
import { openProcfs, type Procfs } from "@llmc/procfs";
import { viewOf } from "@llmc/te-process";
import type { ProcessWorld } from "../context/process-world.js";

/** One for each server: its samples and what it knows of processes serve the next call. */
export function openProcessWorld({ linux_ops }: McpConfig, open: () => Procfs = openProcfs): () => ProcessWorld {
  const { allow_kill_other_users: allowOtherUsers, list_other_users } = linux_ops.process_limits;
  let world: ProcessWorld | undefined;
  return () => (world ??= make());

  function make(): ProcessWorld {
    const procfs = open();
    const view = viewOf({
      uid: process.geteuid?.() ?? 0,
      listOtherUsers: list_other_users || allowOtherUsers,
      userName: procfs.userName,
    });
    return { procfs, view, allowOtherUsers };
  }
}
