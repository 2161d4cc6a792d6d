import { NoRootsError, OpsError } from "@llmc/errors";
import { fromErrno } from "./errno.js";
import { drive } from "./kernel/drive.js";
import { Mounts } from "./kernel/mounts.js";
import { NetworkThreads } from "./kernel/network.js";
import { close, type Steps } from "./kernel/syscalls.js";
import { RegularFile, type OpenFile } from "./open-file.js";
import { parseArgument, type Asked } from "./path/argument.js";
import { show } from "./path/names.js";
import { openRegular } from "./path/open-regular.js";
import { plantTree } from "./path/plant.js";
import { walk, type Tree } from "./path/walk.js";

export interface FilesOptions {
  /** Absolute, or `~` and below. */
  readonly roots: readonly string[];
  readonly home: string;
  /** Closed whatever the roots say: these paths and all below them. */
  readonly privatePaths?: readonly string[];
  /** Closed at the top of every home, unless a root lies there. */
  readonly deny?: readonly string[];
  /** Whose homes; without it those of /etc/passwd. `home` always counts. */
  readonly homes?: readonly string[];
  /** How long one call on a network mount may take. */
  readonly mountTimeoutMs?: number;
  /** How many calls may hang on network mounts at once. */
  readonly maxAbandoned?: number;
  /** The mount table. */
  readonly mountinfo?: string;
}

export interface LookupOptions {
  /** What a relative path starts from; without it the first root. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** The files below the roots. */
export interface Files {
  readonly roots: readonly { readonly path: string; readonly real: string }[];
  /** What the operator should know: roots that were skipped, and why. */
  readonly warnings: readonly string[];
  /** Threads that hang in calls on dead mounts. While there are any, the process ends by a signal only, not by exit(). */
  readonly abandoned: number;
  open(path: string, options?: LookupOptions): Promise<OpenFile>;
  /** Whether anything is there that could be asked for; a path that may not be asked for is an error. */
  exists(path: string, options?: LookupOptions): Promise<boolean>;
  close(): void;
}

const MOUNT_TIMEOUT_MS = 5000;
const MAX_ABANDONED = 4;

export function openFiles(options: FilesOptions): Files {
  const mounts = new Mounts(options.mountinfo);
  const network = new NetworkThreads({
    timeoutMs: options.mountTimeoutMs ?? MOUNT_TIMEOUT_MS,
    threads: options.maxAbandoned ?? MAX_ABANDONED,
  });
  const { tree, warnings, uproot } = plantTree(options, mounts);
  const roots = tree.roots.map((root) => ({
    path: show(root.path),
    get real() {
      return show(root.real);
    },
  }));
  let closed = false;
  const ask = (path: string, cwd: string | undefined): Asked => {
    if (closed) throw new TypeError("these files are closed");
    const [first] = roots;
    if (first === undefined) throw new NoRootsError();
    const base = cwd === undefined ? first.path : parseArgument(cwd, first.path, options.home).shown;
    return parseArgument(path, base, options.home);
  };
  const run = async <T>(
    steps: (tree: Tree, asked: Asked) => Steps<T>,
    asked: Asked,
    signal?: AbortSignal,
  ): Promise<T> => {
    try {
      return await drive(steps(tree, asked), network, signal);
    } catch (thrown) {
      throw fromErrno(thrown, asked.shown);
    }
  };

  return {
    roots,
    warnings,
    get abandoned() {
      return network.abandoned;
    },
    async open(path, { cwd, signal } = {}) {
      const asked = ask(path, cwd);
      const { file, stat, real } = await run(openRegular, asked, signal);
      return new RegularFile({ path: asked.shown, real: show(real), file, stat, network });
    },
    async exists(path, { cwd, signal } = {}) {
      try {
        await run(isThere, ask(path, cwd), signal);
        return true;
      } catch (thrown) {
        if (OpsError.is(thrown) && (thrown.code === "NOT_FOUND" || thrown.code === "NOT_A_DIRECTORY")) return false;
        throw thrown;
      }
    },
    close() {
      closed = true;
      void drive(uproot(), network).catch(() => {});
      network.end();
    },
  };
}

function* isThere(tree: Tree, asked: Asked): Steps<void> {
  yield* close((yield* walk(tree, asked)).entry);
}
