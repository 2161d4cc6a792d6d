import { NoRootsError } from "@llmc/errors";
import { parseRequestedPath, displayPath, textOf, toBytes } from "@llmc/names";
import { fromChangeErrno, fromErrno } from "../kernel/errno.js";
import { drive } from "../kernel/drive.js";
import { Mounts } from "../kernel/mounts.js";
import { MountThreads } from "../kernel/mount-threads.js";
import type { Work } from "../kernel/syscalls.js";
import { ExecConfigGuard } from "./exec-config-guard.js";
import { openRoots, type RootsOptions } from "./open-roots.js";
import type { OpenScope } from "./scope.js";

export interface ScopeOptions extends RootsOptions {
  /** How long one call on a network mount may take. */
  readonly mountTimeoutMs?: number | undefined;
  /** How many calls may hang on network mounts at once. */
  readonly maxAbandoned?: number | undefined;
  /** The mount table. */
  readonly mountinfo?: string | undefined;
  /** Whether files that other programs execute may be written. */
  readonly allowExecConfig?: boolean | undefined;
  /** Folders of the running program, which are never written. */
  readonly program?: readonly string[] | undefined;
}

const MOUNT_TIMEOUT_MS = 5000;
const MAX_ABANDONED = 4;

export function openScope(options: ScopeOptions): OpenScope {
  const mounts = new Mounts(options.mountinfo);
  const network = new MountThreads({
    timeoutMs: options.mountTimeoutMs ?? MOUNT_TIMEOUT_MS,
    threads: options.maxAbandoned ?? MAX_ABANDONED,
  });
  const { scope: tree, machine, homes, skipped, closeRoots: uproot } = openRoots(options, mounts);
  const rootPaths = tree.roots.map((root) => ({
    path: textOf(root.path),
    get real() {
      return displayPath(root.real);
    },
  }));
  const drivenBy =
    (translate: (thrown: unknown, shown: string) => unknown) =>
    async <T>(work: Work<T>, shown: string, signal?: AbortSignal): Promise<T> => {
      try {
        return await drive(work, network, signal);
      } catch (thrown) {
        throw translate(thrown, shown);
      }
    };
  let closed = false;
  return {
    ...tree,
    execConfig: new ExecConfigGuard({
      homes,
      program: (options.program ?? []).map(toBytes),
      allowed: options.allowExecConfig ?? false,
    }),
    network,
    machine,
    rootPaths,
    skipped,
    requested(path, cwd) {
      if (closed) throw new TypeError("these files are closed");
      const [first] = rootPaths;
      if (first === undefined) throw new NoRootsError();
      const base = cwd === undefined ? first.path : parseRequestedPath(cwd, first.path, options.home).shown;
      return parseRequestedPath(path, base, options.home);
    },
    run: drivenBy(fromErrno),
    change: drivenBy(fromChangeErrno),
    close() {
      closed = true;
      void drive(uproot(), network).catch(() => {});
      network.end();
    },
  };
}
