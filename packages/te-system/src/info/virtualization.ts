import type { KernelTree } from "../ask/kernel-tree.js";

export interface Virtualization {
  /** kvm, vmware, xen, hyper-v, wsl …; null on bare metal, as far as can be seen. */
  readonly machine: string | null;
  /** docker, podman, lxc, kubernetes …; null outside. */
  readonly container: string | null;
}

export interface Trees {
  readonly proc: KernelTree;
  readonly sys: KernelTree;
  /** The root of the file system. */
  readonly files: KernelTree;
}

const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/qemu|kvm|openstack|rhev|ovirt/i, "kvm"],
  [/amazon ec2/i, "amazon"],
  [/google/i, "google"],
  [/digitalocean|hetzner|scaleway|linode|akamai/i, "kvm"],
  [/vmware/i, "vmware"],
  [/innotek|virtualbox|oracle corporation virtualbox/i, "virtualbox"],
  [/microsoft corporation virtual|hyper-v/i, "hyper-v"],
  [/xen/i, "xen"],
  [/parallels/i, "parallels"],
  [/bochs/i, "bochs"],
  [/apple virtualization/i, "apple"],
  [/firecracker/i, "firecracker"],
];

export function virtualizationOf(trees: Trees, hasHypervisor: boolean): Virtualization {
  return { machine: machineOf(trees, hasHypervisor), container: containerOf(trees) };
}

function machineOf({ proc, sys }: Trees, hasHypervisor: boolean): string | null {
  if (/microsoft|wsl/i.test(proc.text("sys/kernel/osrelease") ?? "")) return "wsl";
  const told = ["sys_vendor", "product_name", "board_vendor", "bios_vendor"].map((file) =>
    sys.text(`class/dmi/id/${file}`),
  );
  const names = told.filter((name) => name !== undefined).join(" ");
  const found = VENDORS.find(([name]) => name.test(names))?.[1] ?? sys.text("hypervisor/type");
  // A bare-metal machine of the same vendor has no hypervisor flag; machines without that flag at all are not x86.
  if (found !== undefined) return found;
  return hasHypervisor ? "vm" : null;
}

function containerOf({ proc, files }: Trees): string | null {
  // The first process is told its runtime; only its own user may read that.
  const told = /(?:^|\0)container=([^\0]+)/.exec(proc.text("1/environ") ?? "")?.[1];
  if (told !== undefined) return told;
  if (files.names("run/secrets/kubernetes.io").length > 0) return "kubernetes";
  if (files.text("run/.containerenv") !== undefined || files.names("run").includes(".containerenv")) return "podman";
  if (files.names("").includes(".dockerenv")) return "docker";
  const groups = proc.text("1/cgroup") ?? "";
  return /\/(docker|lxc|kubepods|libpod|containerd)[-/.]/.exec(groups)?.[1] ?? null;
}
