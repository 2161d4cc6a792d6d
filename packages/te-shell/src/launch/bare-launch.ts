import { folderProblem } from "../errno.js";
import type { Meter } from "../limits/meter.js";
import { BareTree } from "./bare-tree.js";
import { terminalWords } from "./inner-terminal.js";
import type { Launch, LaunchEnd, LaunchFailure, LaunchRequest } from "./launch.js";
import { descendantsOf } from "./offspring.js";
import { wrap, type Bounds } from "./wrapper.js";

export interface BareSources {
  readonly argv: readonly [string, ...string[]];
  /** As they were asked for. */
  readonly words: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names this run in the environment of everything that it starts. */
  readonly mark: string;
  readonly setpriv: string | null;
  readonly terminal: LaunchRequest["terminal"];
  readonly bounds: Bounds;
  readonly meter: Meter;
}

/** On the machine itself: nothing holds it but the watcher. */
export function bareLaunch({ argv, words, cwd, env, mark, setpriv, terminal, bounds, meter }: BareSources): Launch {
  const hasInnerTerminal = terminal?.outer === false;
  const inner = hasInnerTerminal ? terminalWords(argv, terminal) : argv;
  const mortal = setpriv === null ? inner : [setpriv, "--pdeathsig", "KILL", "--", ...inner];
  return {
    ...wrap(mortal, bounds),
    cwd,
    env,
    extra: [],
    argv: words,
    facts: { sandbox: "off", network: true, held: "watcher" },
    watch: (pid, isReaped) => bareTree(pid, mark, isReaped, meter),
    failure: (end) => failureOf(end, cwd),
    release: () => meter.close(),
  };
}

/** With pipes a folder that is gone ends the start; node-pty has started by then, and its child says so. */
async function failureOf({ exitCode, printed }: LaunchEnd, cwd: string): Promise<LaunchFailure | undefined> {
  if (exitCode === null || exitCode === 0 || !printed.startsWith("chdir(2) failed")) return undefined;
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
