import { existsSync } from "node:fs";
import { PermissionDeniedError } from "@llmc/errors";
import { folderProblem } from "@llmc/te-run";
import type { Box } from "../sandbox/find-box.js";
import type { BoxPlan } from "../sandbox/mounts.js";
import { bareTree } from "./bare-launch.js";
import { BoxTree } from "./box-tree.js";
import { terminalWords } from "./inner-terminal.js";
import type { LaunchEnd, LaunchFailure, LaunchRequest, Unreleased } from "./launch.js";
import type { Seat } from "../prestart/prestarted-shells.js";
import { envOf, startsOf, type Shape } from "../prestart/shape.js";

/** The exit code of the shell around the box when there is no such program. */
const SHELL_FOUND_NONE = 127;

export interface BoxSources {
  readonly box: Box;
  readonly plan: BoxPlan;
  readonly program: string;
  readonly argv: readonly [string, ...string[]];
  readonly shape: Shape;
  readonly seat: Seat;
  readonly terminal: LaunchRequest["terminal"];
  readonly note: string | undefined;
  /** Told when what makes the box is not there any more. */
  readonly gone: () => void;
}

/** The box itself is made with the command: what it shows and what it covers has to be of now. */
export function boxShape({ box, plan, terminal, ...rest }: BoxShapeSources): Shape {
  const { argv, open } = box.wrap(plan, []);
  // node-pty hands no descriptors on; whatever we start ourselves has the channel on which a box tells of itself.
  return { ...rest, ahead: [], around: argv, open, extra: terminal?.outer === true ? [] : ["pipe"] };
}

type BoxShapeSources = Omit<Shape, "ahead" | "around" | "extra" | "open"> &
  Pick<BoxSources, "box" | "plan" | "terminal">;

export function boxLaunch(sources: BoxSources): Unreleased {
  const { box, plan, program, argv, shape, seat, terminal, note } = sources;
  const { meter, mark, shell } = seat;
  const words = [program, ...argv.slice(1)];
  // Ours, around the box, would not hand a ctrl-c on: the terminal of the program is always one that is made inside.
  const inner = terminal === undefined ? words : terminalWords(words, terminal);
  return {
    ...startsOf(shape, meter.joins, inner),
    // bwrap goes to its own folder by itself; until then ours must not matter.
    cwd: "/",
    env: envOf(shape, mark),
    extra: shape.extra,
    argv,
    facts: {
      sandbox: box.kind,
      network: plan.network || plan.hostView,
      held: plan.hostView ? "watcher" : "pid namespace",
      ...(note === undefined ? {} : { note }),
    },
    ready: () => shell?.become(inner, "/"),
    watch(pid, isReaped) {
      if (plan.hostView) return bareTree(pid, mark, isReaped, meter);
      const tree = new BoxTree(pid, {
        isReaped,
        hasInnerTerminal: terminal !== undefined,
        limitHit: () => meter.hit(),
      });
      meter.watch({ members: (most) => tree.members(most), end: () => void tree.end(0) });
      return tree;
    },
    failure: (end) => failureOf(end, sources),
  };
}

/** A box tells when it has executed the program; what it prints otherwise is why it could not. */
async function failureOf(
  { exitCode, status: asked, printed }: LaunchEnd,
  { program, box, plan, gone }: BoxSources,
): Promise<LaunchFailure | undefined> {
  if (exitCode === null || exitCode === 0) return undefined;
  const status = await asked();
  // A terminal has no channel: there only what a box says of itself counts, and only where the folder bears it out.
  if (status === undefined ? !/^(bwrap|sh|\/bin\/sh|setpriv): /.test(printed) : box.ran(status)) return undefined;
  const folder = await folderProblem(plan.cwd);
  if (folder !== undefined) return { folder };
  if (status === undefined) return undefined;
  const lines = printed.split("\n");
  const told = (lines.find((line) => line.startsWith("bwrap: ")) ?? lines[0] ?? "").replace(/^bwrap: /, "");
  if (/^execvp .*No such file/.test(told)) return { exitCode: 127, message: `${program}: ${whyNotFound(program)}` };
  if (told.startsWith("execvp ")) return { exitCode: 126, message: told.slice("execvp ".length) };
  // In the box nobody has root's rights to enter whatever he likes.
  if (/can't (chdir|cd) to/i.test(told)) return { folder: new PermissionDeniedError(plan.cwd) };
  if (exitCode === SHELL_FOUND_NONE) gone();
  return { unavailable: told === "" ? "it ended early" : told };
}

/** The kernel has one answer for a file and for what is to run it. */
function whyNotFound(program: string): string {
  return existsSync(program) ? "its interpreter is not there" : "it is gone";
}
