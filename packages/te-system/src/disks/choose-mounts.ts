import type { Mount } from "@llmc/procfs";

/** How a mount is asked how full it is, if at all. */
export type MountKind = "disk" | "memory" | "remote" | "image" | "kernel";

const REMOTE = /^(nfs4?|cifs|smb3|smbfs|9p|virtiofs|ceph|afs|lustre|glusterfs|fuse|fuseblk|fuse\..*)$/;
/** Always full, and never to be written. */
const IMAGES = new Set(["squashfs", "erofs", "iso9660", "cramfs", "romfs", "udf"]);
const DISKS = new Set(
  "ext2 ext3 ext4 xfs btrfs f2fs zfs bcachefs jfs reiserfs nilfs2 ntfs ntfs3 vfat exfat msdos hfsplus ufs overlay aufs ubifs jffs2".split(
    " ",
  ),
);
/** What container runtimes bind over single files: the disk below is the host's. */
const BOUND_FILES = /^\/etc\/(hosts|hostname|resolv\.conf)$|^\/run\/\.containerenv$|^\/dev\//;
/** What is in memory there is the kernel's or a runtime's own, but for what programs share. */
const KERNELS = /^\/(proc|sys|dev)(?!\/shm$)(\/|$)/;

export function kindOf({ type, point }: Mount): MountKind {
  if (REMOTE.test(type)) return "remote";
  if (IMAGES.has(type)) return "image";
  if (type === "tmpfs" || type === "ramfs") return KERNELS.test(point) ? "kernel" : "memory";
  return DISKS.has(type) ? "disk" : "kernel";
}

/**
 * One for each device, at the point that shows all of it and is shortest to say. Of mounts stacked on one point only the
 * last is seen; what lies below it cannot be asked.
 */
export function chooseMounts(table: readonly Mount[]): { readonly mount: Mount; readonly kind: MountKind }[] {
  const visible = new Map(table.map((mount) => [mount.point, mount]));
  const chosen = new Map<string, { mount: Mount; kind: MountKind }>();
  for (const mount of visible.values()) {
    const kind = kindOf(mount);
    if (kind === "kernel" || kind === "image") continue;
    if (kind === "disk" && BOUND_FILES.test(mount.point)) continue;
    const key = deviceOf(mount, kind);
    const before = chosen.get(key);
    if (before === undefined || isBetter(mount, before.mount)) chosen.set(key, { mount, kind });
  }
  return [...chosen.values()].toSorted((one, other) => (one.mount.point < other.mount.point ? -1 : 1));
}

/** Each subvolume of btrfs has a number of its own, on one device. */
function deviceOf({ type, source, device }: Mount, kind: MountKind): string {
  if (kind === "disk" && type === "btrfs") return source;
  return kind === "remote" ? `${type} ${source} ${device}` : device;
}

function isBetter(one: Mount, other: Mount): boolean {
  if ((one.root === "/") !== (other.root === "/")) return one.root === "/";
  return one.point.length < other.point.length;
}
