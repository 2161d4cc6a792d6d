import type { Procfs } from "@llmc/procfs";
import { EngineUnavailableError } from "@llmc/errors";
import type { KernelTree } from "../ask/kernel-tree.js";

const MANAGERS: readonly { readonly name: string; readonly files: readonly string[]; readonly how: string }[] = [
  { name: "OpenRC", files: ["run/openrc"], how: "rc-status lists its services" },
  { name: "s6", files: ["run/s6", "run/service"], how: "s6-rc -a list lists its services" },
  { name: "runit", files: ["run/runit", "etc/runit/runsvdir"], how: "sv status /var/service/* lists its services" },
  { name: "dinit", files: ["run/dinitctl"], how: "dinitctl list lists its services" },
];
const SUPERVISORS = /^(supervisord|runsvdir|s6-svscan|dinit|monit|pm2|tini|dumb-init)/;

/** What is there where systemd is not: said in the error, so that the next call can be the right one. */
export async function withoutSystemd(
  procfs: Procfs,
  files: KernelTree,
  container: string | null,
): Promise<EngineUnavailableError> {
  const found: string[] = [];
  const manager = MANAGERS.find(({ files: paths }) => paths.some((path) => exists(files, path)));
  const { processes } = await procfs.processes.read();
  const first = processes.find(({ pid }) => pid === 1);
  const supervisor = processes.find(({ comm, pid }) => pid !== 1 && SUPERVISORS.test(comm));
  found.push(`the first process is ${first?.comm ?? "unknown"}`);
  if (manager !== undefined) found.push(`services are ${manager.name}'s`);
  if (supervisor !== undefined) found.push(`${supervisor.comm} (pid ${supervisor.pid}) supervises processes`);
  if (container !== null) found.push(`this is a container (${container})`);
  const below = supervisor?.pid ?? 1;
  return new EngineUnavailableError(
    "systemd",
    `it does not run here; ${found.join(", ")}`,
    manager === undefined ? { id: "processes-below", pid: below } : { id: "ask-manager", how: manager.how },
  );
}

function exists(files: KernelTree, path: string): boolean {
  const cut = path.lastIndexOf("/");
  return files.names(path.slice(0, cut)).includes(path.slice(cut + 1));
}
