import { dirname } from "node:path";
import { quote } from "../limits/wrapper.js";
import type { BoxPlan, Boxed, Identity, Mount } from "./mounts.js";

/** What the script writes there when all is in place and only the program is left to be run. */
export const READY = "ready";
const STATUS_FD = 3;
const NEW_ROOT = "new-root";

export interface NamespaceTools {
  readonly unshare: string;
  readonly setpriv: string;
  readonly isRoot: boolean;
  readonly uid: number;
  readonly gid: number;
  /** An empty folder of ours, over which the box's root is mounted: seen in its own namespace only. */
  readonly ground: string;
}

/**
 * The same box as bubblewrap's, built step by step by a script in fresh namespaces. It has no filter of system calls,
 * and takes a program for each mount. The script stays as the init: what is orphaned in the box is its to reap.
 */
export function boxWithNamespaces(tools: NamespaceTools, plan: BoxPlan, argv: readonly string[]): Boxed {
  const { unshare, setpriv, isRoot } = tools;
  return {
    open: {},
    argv: [
      // Without it the box outlives us: unshare's own --kill-child is about unshare's death, not ours.
      ...[setpriv, "--pdeathsig", "KILL", "--", unshare],
      ...(isRoot ? [] : ["--user", "--map-root-user"]),
      ...["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child=KILL"],
      ...(plan.network ? [] : ["--net"]),
      ...["--", "/bin/sh", "-c", LOADER, "sh", ...partsOf(script(tools, plan)), "", ...argv],
    ],
  };
}

/** The kernel takes 128 KiB as one word: many mounts need several. They end with an empty one. */
const PART_CHARS = 32 * 1024;
const LOADER = 'steps=; until [ -z "$1" ]; do steps=$steps$1; shift; done; shift; eval "$steps"';

function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (const line of text.split("\n")) {
    const last = parts.at(-1) ?? "";
    if (parts.length === 0 || last.length + line.length > PART_CHARS) parts.push(`${line}\n`);
    else parts[parts.length - 1] = `${last}${line}\n`;
  }
  return parts;
}

function script(tools: NamespaceTools, plan: BoxPlan): string {
  const root = `${tools.ground}/${NEW_ROOT}`;
  return [
    // A step that fails ends it: half a box is none.
    "set -e",
    "umask 022",
    BIND_READ_ONLY,
    "mount --make-rprivate /",
    `mount -t tmpfs -o mode=755,nosuid,nodev box ${quote(tools.ground)}`,
    `mkdir ${quote(root)}`,
    `mount -t tmpfs -o mode=755,nosuid,nodev box ${quote(root)}`,
    ...plan.mounts.flatMap((mount) => step(mount, root, tools)),
    `cd ${quote(root)}`,
    // The old root goes over the new one, and away from there: no folder for it has to be made anywhere.
    "pivot_root . .",
    "umount -l .",
    "cd /",
    ...(plan.mounts.some(({ at }) => at === "/") ? [] : ["mount -o remount,ro,bind /"]),
    `cd ${quote(plan.cwd)}`,
    "set +e",
    ...(plan.keepsSession ? [] : [`echo ${READY} >&${STATUS_FD}`]),
    `${ending(tools, plan.identity)} "$@" ${STATUS_FD}>&-`,
    "exit $?",
  ].join("\n");
}

/** The rights of the user himself, without those that building the box took. */
function ending({ setpriv, unshare, isRoot, uid, gid }: NamespaceTools, identity: Identity | undefined): string {
  const drop = ["--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"];
  if (!isRoot) {
    const back = [unshare, "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--"];
    return [...back, setpriv, ...drop].map(quote).join(" ");
  }
  const become = identity === undefined ? [] : [`--reuid=${identity.uid}`, `--regid=${identity.gid}`, "--clear-groups"];
  return [setpriv, ...become, ...drop].map(quote).join(" ");
}

function step(mount: Mount, root: string, { isRoot }: NamespaceTools): string[] {
  const at = quote(mount.at === "/" ? root : root + mount.at);
  switch (mount.kind) {
    case "bind":
      return bindSteps(mount, root + (mount.at === "/" ? "" : mount.at));
    case "link":
      return [`mkdir -p ${quote(root + dirname(mount.at))}`, `ln -s ${quote(mount.to)} ${at}`];
    case "tmpfs":
      return [`mkdir -p ${at}`, `mount -t tmpfs -o mode=755,nosuid,nodev box ${at}`];
    case "proc":
      return [
        `mkdir -p ${at}`,
        `mount -t proc -o nosuid,nodev,noexec proc ${at}`,
        // The kernel's settings are root's to write, with or without capabilities. For anybody else the way back to his
        // own user leads through a file of /proc, and only what holds the settings is read-only.
        isRoot
          ? `mount -o remount,bind,ro,nosuid,nodev,noexec ${at}`
          : `for each in sys sysrq-trigger irq bus fs acpi scsi pressure; do [ -e ${at}/$each ] && mount --bind -o ro,nosuid,nodev,noexec ${at}/$each ${at}/$each || true; done`,
      ];
    case "dev":
      return devSteps(at);
  }
}

/**
 * `bind_read_only FROM AT`, then both as the table of mounts writes them. What is mounted in a folder comes along: the hosts
 * and the resolver of a container are mounts in its /etc, and the kernel lets nobody but root look below them. `ro` is about
 * one mount, so each is told; with the flags that it has, which only the owner of its namespace could take away.
 */
const BIND_READ_ONLY = `
mounted=$(while read -r _ _ _ _ point _; do printf '%s\\n' " $point"; done </proc/self/mountinfo)
bind_read_only() {
  # Where $1 is a link, or of a mount with more flags, the simple way may fail.
  case "$mounted" in *" $3"/*) ;; *) mount --bind -o ro,nosuid,nodev "$1" "$2" 2>/dev/null && return ;; esac
  mount --rbind "$1" "$2"
  while read -r _ _ _ _ point flags _; do
    case "$point" in
      "$4" | "$4"/*) mount -o "remount,bind,$flags,ro,nosuid,nodev" "$(printf "$point")" ;;
    esac
  done </proc/self/mountinfo
}`.trim();

/** As the kernel writes it in its table of mounts. */
function inTable(path: string): string {
  return path.replaceAll(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

function bindSteps({ from, write, isOptional }: Mount & { kind: "bind" }, to: string): string[] {
  const [source, at] = [quote(from), quote(to)];
  const place = `[ -e ${at} ] || if [ -d ${source} ]; then mkdir -p ${at}; else mkdir -p "$(dirname ${at})"; : >${at}; fi`;
  const bind = write
    ? `mount --rbind -o nosuid,nodev ${source} ${at}`
    : `bind_read_only ${source} ${at} ${quote(inTable(from))} ${quote(inTable(to))}`;
  const work = [place, bind];
  return isOptional === true ? [`if [ -e ${source} ]; then ${work.join("; ")}; fi`] : work;
}

function devSteps(at: string): string[] {
  return [
    `mkdir -p ${at}`,
    `mount -t tmpfs -o mode=755,nosuid box ${at}`,
    `mkdir ${at}/shm ${at}/pts`,
    `chmod 1777 ${at}/shm`,
    `for each in null zero full random urandom tty; do : >${at}/$each; mount --bind /dev/$each ${at}/$each; done`,
    `mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts ${at}/pts`,
    `ln -s pts/ptmx ${at}/ptmx`,
    `ln -s /proc/self/fd ${at}/fd; ln -s /proc/self/fd/0 ${at}/stdin; ln -s /proc/self/fd/1 ${at}/stdout; ln -s /proc/self/fd/2 ${at}/stderr`,
  ];
}
