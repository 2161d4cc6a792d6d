import { folderProblem } from "@llmc/te-run";
import type { Meter } from "../limits/meter.js";
import { BareTree } from "./bare-tree.js";
import { terminalWords } from "./inner-terminal.js";
import type { LaunchEnd, LaunchFailure, LaunchRequest, Unreleased } from "./launch.js";
import { descendantsOf } from "./offspring.js";
import type { Seat } from "../prestart/prestarted-shells.js";
import { envOf, startsOf, type Shape } from "../prestart/shape.js";

export interface BareSources {
  readonly argv: readonly [string, ...string[]];
  /** As they were asked for. */
  readonly words: readonly [string, ...string[]];
  readonly cwd: string;
  readonly shape: Shape;
  readonly seat: Seat;
  readonly terminal: LaunchRequest["terminal"];
}

/** Without a sandbox a command dies with us, but not what it starts. */
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

/** On the machine itself: nothing holds it but the watcher. */
export function bareLaunch({ argv, words, cwd, shape, seat, terminal }: BareSources): Unreleased {
  const { meter, mark, shell } = seat;
  const inner = terminal?.outer === false ? terminalWords(argv, terminal) : argv;
  return {
    ...startsOf(shape, meter.joins, inner),
    cwd,
    env: envOf(shape, mark),
    extra: shape.extra,
    argv: words,
    facts: { sandbox: "off", network: true, held: "watcher" },
    ready: () => shell?.become(inner, cwd),
    watch: (pid, isReaped) => bareTree(pid, mark, isReaped, meter),
    failure: (end) => failureOf(end, cwd),
  };
}

/** A folder that is gone ends a start with pipes; where one was made before, by node-pty or ahead, the child says so. */
async function failureOf({ exitCode, printed }: LaunchEnd, cwd: string): Promise<LaunchFailure | undefined> {
  const isTold = /^(chdir\(2\) failed|(\/bin\/)?sh: .*\bcd: )/.test(printed);
  if (exitCode === null || exitCode === 0 || !isTold) return undefined;
  const folder = await folderProblem(cwd);
  return folder === undefined ? undefined : { folder };
}

/** Found by its mark, and held to its bounds. */
export function bareTree(pid: number, mark: string, isReaped: () => boolean, meter: Meter): BareTree {
  const tree = new BareTree(pid, mark, isReaped, () => meter.hit());
  meter.watch({
    members: (most) => (isReaped() ? [] : [pid, ...descendantsOf(pid, most)]),
    end: () => void tree.end(0),
  });
  return tree;
}
