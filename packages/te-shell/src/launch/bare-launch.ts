import { folderProblem } from "@llmc/te-run";
import type { LaunchResources } from "../prestart/prestarted-shells.js";
import type { Shape } from "../prestart/shape.js";
import { BareTree } from "./bare-tree.js";
import { terminalWords } from "./inner-terminal.js";
import { Launch, type LaunchEnd, type LaunchFailure } from "./launch.js";
import { descendantsOf } from "./offspring.js";
import type { LaunchRequest } from "./request.js";

export interface BareSources {
  /** Words to execute. */
  readonly argv: readonly [string, ...string[]];
  /** Words of the request. */
  readonly words: readonly [string, ...string[]];
  readonly cwd: string;
  readonly shape: Shape;
  readonly resources: LaunchResources;
  readonly terminal: LaunchRequest["terminal"];
}

/** Makes a command without a sandbox die with this server, if setpriv is installed; its children do not. */
export function bareShape({ setpriv, ...rest }: Omit<Shape, Made> & { readonly setpriv: string | null }): Shape {
  return {
    ...rest,
    ahead: setpriv === null ? [] : [setpriv, "--pdeathsig", "KILL", "--"],
    around: [],
    extra: [],
    open: {},
  };
}

type Made = "ahead" | "around" | "extra" | "open";

/** A command without a sandbox. Only the watcher ends its children when this server dies. */
export class BareLaunch extends Launch {
  readonly #cwd: string;

  constructor({ argv, words, cwd, shape, resources, terminal }: BareSources) {
    super({
      ...{ cwd, shape, resources },
      argv: words,
      inner: terminal?.outer === false ? terminalWords(argv, terminal) : argv,
      facts: { sandbox: "off", network: true, held: "watcher", notes: [] },
    });
    this.#cwd = cwd;
  }

  protected treeOf(pid: number, isReaped: () => boolean): BareTree {
    return bareTree(pid, this.resources, isReaped);
  }

  /** Finds a missing folder in the output, because node-pty and a prestarted shell enter the folder after the start. */
  protected async diagnose({ exitCode, printed }: LaunchEnd): Promise<LaunchFailure | undefined> {
    const isTold = /^(chdir\(2\) failed|(\/bin\/)?sh: .*\bcd: )/.test(printed);
    if (exitCode === null || exitCode === 0 || !isTold) return undefined;
    const folder = await folderProblem(this.#cwd);
    return folder === undefined ? undefined : { folder };
  }
}

/** Finds the processes by their mark, and lets the meter bound them. */
export function bareTree(pid: number, { meter, mark }: LaunchResources, isReaped: () => boolean): BareTree {
  const tree = new BareTree(pid, mark, isReaped, () => meter.hit());
  meter.watch({
    members: (most) => (isReaped() ? [] : [pid, ...descendantsOf(pid, most)]),
    end: () => void tree.end(0),
  });
  return tree;
}
