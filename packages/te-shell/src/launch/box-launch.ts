import { existsSync } from "node:fs";
import { basename } from "node:path";
import { PermissionDeniedError, type Advice } from "@llmc/errors";
import { folderProblem } from "@llmc/te-run";
import type { LaunchResources } from "../prestart/prestarted-shells.js";
import type { Shape } from "../prestart/shape.js";
import type { Box } from "../sandbox/find-box.js";
import { mayWriteConfig, SHIM_FOLDER } from "../sandbox/git-shim.js";
import type { BoxPlan } from "../sandbox/mounts.js";
import type { View } from "../sandbox/view.js";
import { bareTree } from "./bare-launch.js";
import { BoxTree } from "./box-tree.js";
import type { CommandTree } from "./command-tree.js";
import { readGitChanges, type WantedConfig } from "./git-changes.js";
import { terminalWords } from "./inner-terminal.js";
import { mayLeaveBehind } from "./left-behind.js";
import { Launch, type LaunchEnd, type LaunchFailure } from "./launch.js";
import type { LaunchFacts, LaunchRequest } from "./request.js";

/** The exit code of the shell around the box when there is no such program. */
const SHELL_FOUND_NONE = 127;

export interface BoxSources {
  readonly box: Box;
  readonly plan: BoxPlan;
  readonly program: string;
  readonly argv: readonly [string, ...string[]];
  readonly shape: Shape;
  readonly resources: LaunchResources;
  readonly terminal: LaunchRequest["terminal"];
  readonly notes: readonly Advice[];
  /** Makes the launch name the programs that the command leaves running. */
  readonly reports: boolean;
  readonly hides: View["hides"];
  readonly guarded: View["guarded"];
  /** Folder in which the git shim leaves its lists; undefined without the shim. */
  readonly toolsTmp: string | undefined;
  /** Called when the program that makes the box is gone. */
  readonly gone: () => void;
}

/** Makes the box together with the command, because its mounts and covers must be current. */
export function boxShape({ box, plan, terminal, ...rest }: BoxShapeSources): Shape {
  const { argv, open } = box.wrap(plan, []);
  // node-pty passes no descriptors on, so only other starts have the channel for the report of a box.
  return { ...rest, ahead: [], around: argv, open, extra: terminal?.outer === true ? [] : ["pipe"] };
}

type BoxShapeSources = Omit<Shape, "ahead" | "around" | "extra" | "open"> &
  Pick<BoxSources, "box" | "plan" | "terminal">;

/** A command in a sandbox. */
export class BoxLaunch extends Launch {
  readonly #sources: BoxSources;

  constructor(sources: BoxSources) {
    const { plan, argv, shape, resources, terminal, reports } = sources;
    const words = [standInFor(sources), ...argv.slice(1)];
    super({
      ...{ argv, shape, resources },
      // A terminal around the box would not pass a ctrl-c on, so the program's terminal is always made inside.
      inner: terminal === undefined ? words : terminalWords(words, terminal),
      // bwrap enters the command's folder itself; until then the folder of this server must not matter.
      cwd: "/",
      facts: factsOf(sources),
      isReported: reports && !plan.hostView && terminal === undefined && mayLeaveBehind(argv),
    });
    this.#sources = sources;
  }

  override gitChanges(): readonly WantedConfig[] {
    const { toolsTmp, guarded } = this.#sources;
    if (toolsTmp === undefined) return [];
    // Accepts only configs guarded from this command, because the command may make up any folder.
    return readGitChanges(toolsTmp, this.resources.mark).filter(({ folder }) => guarded.includes(`${folder}/config`));
  }

  override hides(path: string): boolean {
    return this.#sources.hides(path);
  }

  protected treeOf(pid: number, isReaped: () => boolean): CommandTree {
    const { plan, terminal } = this.#sources;
    if (plan.hostView) return bareTree(pid, this.resources, isReaped);
    const { meter } = this.resources;
    const tree = new BoxTree(pid, {
      isReaped,
      isWrapped: terminal !== undefined || this.isReported,
      limitHit: () => meter.hit(),
    });
    meter.watch({ members: (most) => tree.members(most), end: () => void tree.end(0) });
    return tree;
  }

  /** A box reports when it has executed the program; all other output explains why it could not. */
  protected async diagnose(
    { exitCode, printed }: LaunchEnd,
    report: () => Promise<string | undefined>,
  ): Promise<LaunchFailure | undefined> {
    const { program, box, plan, gone } = this.#sources;
    if (exitCode === null || exitCode === 0) return undefined;
    const status = await report();
    // A terminal has no channel, so only a message of the box counts, and only if the folder is indeed the problem.
    if (status === undefined ? !/^(bwrap|sh|\/bin\/sh|setpriv): /.test(printed) : box.ran(status)) return undefined;
    const folder = await folderProblem(plan.cwd);
    if (folder !== undefined) return { folder };
    if (status === undefined) return undefined;
    const lines = printed.split("\n");
    const told = (lines.find((line) => line.startsWith("bwrap: ")) ?? lines[0] ?? "").replace(/^bwrap: /, "");
    if (/^execvp .*No such file/.test(told)) return { exitCode: 127, message: `${program}: ${whyNotFound(program)}` };
    if (told.startsWith("execvp ")) return { exitCode: 126, message: told.slice("execvp ".length) };
    // In the box no user may enter every folder, as root may outside.
    if (/can't (chdir|cd) to/i.test(told)) return { folder: new PermissionDeniedError(plan.cwd) };
    if (exitCode === SHELL_FOUND_NONE) gone();
    return { unavailable: told === "" ? "it ended early" : told };
  }
}

/** Starts git itself if its arguments write no config. */
function standInFor({ program, argv, toolsTmp }: BoxSources): string {
  const isIn = toolsTmp !== undefined && basename(program) === "git" && mayWriteConfig(argv.slice(1));
  return isIn ? `${SHIM_FOLDER}/git` : program;
}

function factsOf({ box, plan, notes }: BoxSources): LaunchFacts {
  return {
    sandbox: box.kind,
    network: plan.network || plan.hostView,
    held: plan.hostView ? "watcher" : "pid namespace",
    notes,
  };
}

/** Tells a missing program from a missing interpreter, because the kernel reports both as ENOENT. */
function whyNotFound(program: string): string {
  return existsSync(program) ? "its interpreter is not there" : "it is gone";
}
