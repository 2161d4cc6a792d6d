import { readFile } from "node:fs/promises";
import { contains } from "./covers.js";
import type { CellSight, Closed } from "./cell.js";
import type { ProgramFiles } from "./program-files.js";

/** Descriptors of bubblewrap. It closes all of them before the engine starts. */
export const FOLDER_FD = 3;
export const STATUS_FD = 4;
export const GATE_FD = 5;
export const READY_FD = 6;

const DAC_OVERRIDE = 1n << 1n;
const DAC_READ_SEARCH = 1n << 2n;

/**
 * Namespaces and rights. An engine must be able to read what we can, else its "no hits" would be wrong. A user in a
 * namespace of its own keeps its rights as owner and member of groups. Root does not: there other owners are nobody's,
 * so it stays in ours and keeps one right, to pass mode bits, which lets it write nowhere because all mounts are
 * read-only. (DAC_READ_SEARCH would sound smaller, but opens files by handle, outside every mount.)
 */
export async function ofTheProcess(): Promise<readonly string[]> {
  const rights = process.getuid?.() === 0 ? await rightsOfRoot() : 0n;
  const namespaces = [
    "--unshare-pid",
    "--as-pid-1",
    "--unshare-ipc",
    "--unshare-uts",
    "--die-with-parent",
    "--new-session",
  ];
  const drop = ["--cap-drop", "ALL"];
  if ((rights & DAC_OVERRIDE) !== 0n) return [...namespaces, ...drop, "--cap-add", "CAP_DAC_OVERRIDE"];
  if ((rights & DAC_READ_SEARCH) !== 0n) return [...namespaces, ...drop, "--cap-add", "CAP_DAC_READ_SEARCH"];
  return ["--unshare-user", ...namespaces, ...drop];
}

export interface Mounts {
  readonly see: CellSight;
  readonly places: readonly Closed[];
  readonly programs: readonly ProgramFiles[];
  /** Of the engine, if it lies elsewhere inside. */
  readonly raised: Raised | undefined;
  /** A file made last, of what comes from READY_FD; without it nobody waits for the mounts. */
  readonly ready: string | undefined;
  /** bubblewrap itself can bind an open folder, and does not follow its name. */
  readonly bindsOpen: boolean;
  readonly setsModes: boolean;
}

export interface Raised {
  readonly from: string;
  readonly to: string;
}

export function ofTheMounts({ see, places, programs, raised, ready, bindsOpen, setsModes }: Mounts): string[] {
  const folder = bindsOpen ? ["--ro-bind-fd", `${FOLDER_FD}`] : ["--ro-bind", `/proc/${process.pid}/fd/${see.fd}`];
  const folders = places.filter(({ kind }) => kind === "folder").map(({ path }) => path);
  const files = places.filter(({ kind }) => kind === "file").map(({ path }) => path);
  // Passable, because an engine may lie below; not to be listed.
  const mode = setsModes ? ["--perms", "0111"] : [];
  const isShown = (path: string): boolean =>
    contains(see.at, path) && !folders.some((closed) => contains(closed, path));
  const needed = new Set(programs.flatMap((program) => program.files).filter((path) => !isShown(path)));
  const optional = new Set(programs.flatMap((program) => program.optional).filter((path) => !isShown(path)));
  return [
    ...[...optional].filter((path) => contains(path, see.at)).flatMap(bindIfThere),
    ...folder,
    see.at,
    ...folders.flatMap((path) => [...mode, "--tmpfs", path]),
    ...[...optional].filter((path) => !contains(path, see.at)).flatMap(bindIfThere),
    ...[...needed].flatMap((path) => ["--ro-bind", path, path === raised?.from ? raised.to : path]),
    ...((see.programs ?? []).length === 0 ? [] : NULL_DEVICE),
    // A bind without devices: whoever opens it is refused, root as well.
    ...files.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...(ready === undefined ? [] : ["--file", `${READY_FD}`, ready]),
    ...folders.flatMap((path) => ["--remount-ro", path]),
    ...(see.at === "/" ? [] : ["--remount-ro", "/"]),
    "--chdir",
    see.cwd ?? see.at,
  ];
}

/** xargs gives it to what it starts. */
const NULL_DEVICE = ["--dev-bind", "/dev/null", "/dev/null"];

function bindIfThere(path: string): string[] {
  return ["--ro-bind-try", path, path];
}

async function rightsOfRoot(): Promise<bigint> {
  const status = await readFile("/proc/self/status", "latin1");
  return BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
}
