import { readFileSync } from "node:fs";
import { contains, type Bytes } from "@llmc/names";

interface Mount {
  readonly point: Bytes;
  /** Which part of its file system it shows: "/" but for bind mounts. */
  readonly root: Bytes;
  readonly dev: bigint;
  readonly type: string;
}

const NETWORK = /^(nfs4?|cifs|smb3|smbfs|9p|autofs|ceph|afs|lustre|fuse|fuseblk|fuse\..*)$/;
/** File systems whose files are the kernel talking: not to be read or written whatever path leads there. */
const KERNEL = new Set(
  "proc sysfs devtmpfs devpts cgroup cgroup2 debugfs tracefs securityfs configfs bpf pstore efivarfs binfmt_misc fusectl selinuxfs nsfs mqueue rpc_pipefs nfsd".split(
    " ",
  ),
);
const FRESH_MS = 1000;

/** The mount table, read at most once a second. */
export class Mounts {
  readonly #file: string;
  #table: readonly Mount[] = [];
  #network: readonly Bytes[] = [];
  #devices = new Map<bigint, string | undefined>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(file = "/proc/self/mountinfo") {
    this.#file = file;
  }

  /** The mount point on the way to `path` that may never answer, or null. */
  network(path: Bytes): Bytes | null {
    this.#refresh();
    if (this.#network.length === 0) return null;
    const way = this.#network.filter((point) => contains(point, path));
    // The program itself lives on "/": it matters only where nothing else lies over it.
    if (way.length === 1 && way[0] === "/" && this.#over(path)?.point !== "/") return null;
    return way.reduce<Bytes | null>(
      (deepest, point) => (point.length > (deepest?.length ?? 0) ? point : deepest),
      null,
    );
  }

  /** The type of the kernel's own file system that has this device number, or undefined. */
  kernelType(dev: bigint): string | undefined {
    this.#refresh();
    if (!this.#devices.has(dev)) {
      // Mounted since the table was read; or one that no table names (btrfs), which is then remembered.
      this.#readAt = Number.NEGATIVE_INFINITY;
      this.#refresh();
      if (!this.#devices.has(dev)) this.#devices.set(dev, undefined);
    }
    return this.#devices.get(dev);
  }

  /** Every path under which bind mounts show `path`, or a part of what lies below it. */
  aliases(path: Bytes): Bytes[] {
    this.#refresh();
    const home = this.#over(path);
    if (home === undefined) return [];
    const origin = graft(home.root, path.slice(home.point === "/" ? 0 : home.point.length));
    return this.#table
      .filter((mount) => mount.dev === home.dev && mount !== home)
      .flatMap((mount) => {
        if (contains(origin, mount.root)) return [mount.point];
        if (!contains(mount.root, origin)) return [];
        return [graft(mount.point, origin.slice(mount.root === "/" ? 0 : mount.root.length))];
      });
  }

  /** A mount point at `path` or below it, or undefined. Read anew: what is to be removed must not be a second old. */
  below(path: Bytes): Bytes | undefined {
    this.#readAt = Number.NEGATIVE_INFINITY;
    this.#refresh();
    return this.#table.find(({ point }) => contains(path, point))?.point;
  }

  /** Where below `path` the kernel's own file systems are mounted. */
  kernelsBelow(path: Bytes): Bytes[] {
    this.#refresh();
    return this.#table.filter((mount) => isKernels(mount) && contains(path, mount.point)).map(({ point }) => point);
  }

  /** The names in a folder on which network file systems are mounted. */
  networkIn(folder: Bytes): ReadonlySet<Bytes> {
    this.#refresh();
    const start = folder === "/" ? "/" : `${folder}/`;
    const points = this.#network.filter((point) => point.startsWith(start) && point.length > start.length);
    return new Set(points.map((point) => point.slice(start.length)).filter((name) => !name.includes("/")));
  }

  /** Changes when the table was read anew. */
  get version(): number {
    this.#refresh();
    return this.#readAt;
  }

  #over(path: Bytes): Mount | undefined {
    let best: Mount | undefined;
    for (const mount of this.#table) {
      if (mount.point.length >= (best?.point.length ?? 0) && contains(mount.point, path)) best = mount;
    }
    return best;
  }

  #refresh(): void {
    const now = performance.now();
    if (now - this.#readAt < FRESH_MS) return;
    this.#readAt = now;
    this.#table = readTable(this.#file);
    // Of mounts stacked on one point only the last is seen.
    const visible = new Map(this.#table.map((mount) => [mount.point, mount]));
    this.#network = [...visible.values()].filter(({ type }) => NETWORK.test(type)).map(({ point }) => point);
    this.#devices = new Map(this.#table.map((mount) => [mount.dev, isKernels(mount) ? mount.type : undefined]));
  }
}

// A container's /dev is a tmpfs; bound elsewhere it is still full of devices.
function isKernels({ type, point }: Mount): boolean {
  return KERNEL.has(type) || (point === "/dev" && type === "tmpfs");
}

function readTable(file: string): Mount[] {
  try {
    return readFileSync(file, "latin1").split("\n").flatMap(parseLine);
  } catch {
    // Without a table every path is taken for local, as it is where /proc is not mounted.
    return [];
  }
}

// "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue", see proc_pid_mountinfo(5).
function parseLine(line: string): Mount[] {
  const [, , device = "", root = "", point = "", ...rest] = line.split(" ");
  const type = rest[rest.indexOf("-") + 1];
  const [major, minor] = device.split(":").map(Number);
  if (type === undefined || major === undefined || minor === undefined) return [];
  return [{ root: unescapeOctal(root), point: unescapeOctal(point), dev: deviceNumber(major, minor), type }];
}

function unescapeOctal(field: string): Bytes {
  return field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function deviceNumber(major: number, minor: number): bigint {
  const [high, low] = [BigInt(major), BigInt(minor)];
  return ((high & 0xfffff000n) << 32n) | ((high & 0xfffn) << 8n) | ((low & 0xffffff00n) << 12n) | (low & 0xffn);
}

function graft(folder: Bytes, below: Bytes): Bytes {
  return below === "" || below === "/" ? folder : folder === "/" ? below : folder + below;
}
