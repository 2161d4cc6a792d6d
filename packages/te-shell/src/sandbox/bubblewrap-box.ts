import type { BoxPlan, Boxed, Identity, Mount } from "./mounts.js";

/** bwrap writes there who its init is, and the exit code of a program that it could execute. */
export const STATUS_FD = 3;
const SECCOMP_FD = 9;
const WORDS_FD = 8;

export interface BubblewrapTools {
  readonly bwrap: string;
  /** Needed where we are root and a command gets other rights. */
  readonly setpriv: string | null;
  /** A file with the filter; null on a machine for which we have none. */
  readonly seccomp: string | null;
  readonly isRoot: boolean;
  /** Puts words into a file, each ended by a NUL; undefined where it cannot. */
  readonly list: (words: readonly string[]) => string | undefined;
}

/** How the box is made bwrap reads from a file: on its command line, `ps` in the box would print all of it. */
export function boxWithBubblewrap(tools: BubblewrapTools, plan: BoxPlan, argv: readonly string[]): Boxed {
  const { bwrap, seccomp, list } = tools;
  const making = makingWords(tools, plan);
  const file = list(making);
  return {
    open: { ...(file !== undefined && { [WORDS_FD]: file }), ...(seccomp !== null && { [SECCOMP_FD]: seccomp }) },
    argv: [
      bwrap,
      ...(file === undefined ? making : ["--args", `${WORDS_FD}`]),
      ...["--chdir", plan.cwd],
      ...becoming(plan.identity, tools),
      ...argv,
    ],
  };
}

function makingWords({ seccomp, isRoot }: BubblewrapTools, plan: BoxPlan): string[] {
  const hasStatus = !plan.keepsSession;
  return [
    ...(isRoot && !plan.hostView ? [] : ["--unshare-user"]),
    ...(plan.hostView ? [] : ["--unshare-pid"]),
    ...["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent", "--cap-drop", "ALL"],
    ...(plan.network || plan.hostView ? [] : ["--unshare-net"]),
    ...(plan.keepsSession ? [] : ["--new-session"]),
    ...(hasStatus ? ["--json-status-fd", `${STATUS_FD}`] : []),
    ...(seccomp === null ? [] : ["--seccomp", `${SECCOMP_FD}`]),
    ...plan.mounts.flatMap(words),
    ...(plan.mounts.some(({ at }) => at === "/") ? [] : ["--remount-ro", "/"]),
  ];
}

/** Rights to change to another user, and to enter a folder that only he may enter; setpriv gives all of them up. */
function becoming(identity: Identity | undefined, { setpriv }: BubblewrapTools): string[] {
  if (identity === undefined || setpriv === null) return ["--"];
  const rights = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_DAC_OVERRIDE"];
  return [...rights.flatMap((right) => ["--cap-add", right]), "--", setpriv, ...becomeWords(identity)];
}

export function becomeWords({ uid, gid }: Identity): string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    "--inh-caps=-all",
    "--bounding-set=-all",
    "--no-new-privs",
    "--",
  ];
}

function words(mount: Mount): string[] {
  switch (mount.kind) {
    case "bind": {
      const how = mount.write ? "--bind" : "--ro-bind";
      return [mount.isOptional === true ? `${how}-try` : how, mount.from, mount.at];
    }
    case "link":
      return ["--symlink", mount.to, mount.at];
    case "tmpfs":
      return ["--tmpfs", mount.at];
    case "proc":
      // The kernel's settings are root's to write, with or without capabilities, and bwrap covers them only for others.
      return ["--proc", mount.at, "--remount-ro", mount.at];
    case "dev":
      return ["--dev", mount.at];
  }
}
