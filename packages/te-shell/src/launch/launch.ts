import type { OpsError } from "@llmc/errors";
import { start, type Started } from "@llmc/te-run";
import type { LimitHit } from "../limits/meter.js";
import type { LaunchResources } from "../prestart/prestarted-shells.js";
import { envOf, startsOf, type Shape } from "../prestart/shape.js";
import type { CommandTree } from "./command-tree.js";
import type { LaunchFacts } from "./request.js";
import type { WantedConfig } from "./git-changes.js";
import { leftBehind, REPORT_CHANNEL, reportingWords } from "./left-behind.js";
import { StatusChannel } from "./status-channel.js";

/** Arguments of `spawn` for the process that becomes the command. */
export interface SpawnArguments {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface StartStreams {
  readonly stdin: "ignore" | "pipe";
  /** Sends stderr into stdout, in the order of printing. */
  readonly isOneStream?: boolean;
}

export interface LaunchEnd {
  readonly exitCode: number | null;
  /** The beginning of stderr, or of the terminal's output. */
  readonly printed: string;
}

export type LaunchFailure =
  /** The program could not be executed: 126 or 127, as a shell reports it. */
  | { readonly exitCode: 126 | 127; readonly message: string }
  /** The working folder is gone. */
  | { readonly folder: OpsError }
  | { readonly unavailable: string };

export interface LaunchParts {
  /** Words of the command itself. */
  readonly argv: readonly [string, ...string[]];
  /** Words to execute inside the shape: the program, perhaps with a terminal around it. */
  readonly inner: readonly string[];
  /** Set if a shell around the program reports the programs left running. */
  readonly isReported?: boolean;
  /** Folder in which the process starts. */
  readonly cwd: string;
  readonly shape: Shape;
  readonly resources: LaunchResources;
  readonly facts: LaunchFacts;
}

/**
 * One command of a model, from its preparation to its release: `prepare` makes it, it is started once, and `release`
 * gives its resources back. The two kinds differ in finding the command's processes and in explaining a failed start.
 */
export abstract class Launch {
  /** Words of the command itself. */
  readonly argv: LaunchParts["argv"];
  readonly facts: LaunchFacts;
  readonly spawnArguments: SpawnArguments;
  protected readonly resources: LaunchResources;
  readonly #parts: LaunchParts;
  #tree: CommandTree | undefined;
  #status: StatusChannel | undefined;

  constructor(parts: LaunchParts) {
    const { argv, cwd, shape, resources, facts } = parts;
    this.argv = argv;
    this.facts = facts;
    this.resources = resources;
    this.#parts = parts;
    const [words, redirection] = wordsOf(parts);
    const starts = startsOf(shape, resources.meter.joins, words, redirection);
    this.spawnArguments = { ...starts, cwd, env: envOf(shape, resources.mark) };
  }

  /** Starts the command with pipes. If stdin is ignored, a prestarted shell may become the command. */
  async start({ stdin, isOneStream = false }: StartStreams): Promise<Started> {
    const ready = stdin === "ignore" && !isOneStream ? this.#becomeCommand() : undefined;
    const started = ready ?? (await this.#spawn(stdin, isOneStream));
    const { child, pid } = started;
    this.#hold(pid, () => child.exitCode !== null || child.signalCode !== null);
    this.#status = StatusChannel.of(child);
    return started;
  }

  /** Starts the command in a terminal made by `spawn`. `hasEnded` returns whether the end of the terminal is known. */
  startInTerminal<T extends { readonly pid: number }>(spawn: (start: SpawnArguments) => T, hasEnded: () => boolean): T {
    const spawned = spawn(this.spawnArguments);
    this.#hold(spawned.pid, hasEnded);
    return spawned;
  }

  /** Pid of the program itself on this machine; undefined when the program ended before it was seen. */
  async programPid(): Promise<number | undefined> {
    return await this.#tree?.programPid();
  }

  /** Signals the program's group; false when the program has ended. */
  async signal(signal: NodeJS.Signals): Promise<boolean> {
    return (await this.#tree?.signal(signal)) ?? false;
  }

  /** Asks every process of the command to end, then kills it. Returns the pids that SIGKILL did not end. */
  async end(graceMs?: number): Promise<readonly number[]> {
    return (await this.#tree?.end(graceMs)) ?? [];
  }

  /** Returns the limit that the command has hit, as far as it is known now. */
  limitHit(): LimitHit | undefined {
    return this.#tree?.limitHit();
  }

  /** Explains after the end why the program did not run; undefined when it did. */
  failure(end: LaunchEnd): Promise<LaunchFailure | undefined> {
    return this.diagnose(end, async () => await this.#status?.text());
  }

  /** Tells whether the sandbox hides an absolute path of this machine from the command. Does not touch the path. */
  hides(_path: string): boolean {
    return false;
  }

  /** Returns the settings that git wrote into copies of configs. Call this after the end of the command. */
  gitChanges(): readonly WantedConfig[] {
    return [];
  }

  /** Returns the argument lists of programs that the command left running until the sandbox ended. */
  async leftBehind(): Promise<readonly (readonly string[])[]> {
    if (!this.isReported) return [];
    return leftBehind((await this.#status?.text()) ?? "", this.#parts.inner);
  }

  /** Gives the resources back. Call this after the last process has ended, or if the command was never started. */
  release(): Promise<void> {
    return this.resources.release();
  }

  /** Finds the processes of the command from the one that was started. */
  protected abstract treeOf(pid: number, isReaped: () => boolean): CommandTree;

  /** `status` returns the report of the sandbox; undefined in a terminal, where no channel leads out. */
  protected abstract diagnose(
    end: LaunchEnd,
    status: () => Promise<string | undefined>,
  ): Promise<LaunchFailure | undefined>;

  #becomeCommand(): Started | undefined {
    const [words, redirection] = wordsOf(this.#parts);
    return this.resources.shell?.become(words, this.#parts.cwd, redirection);
  }

  async #spawn(stdin: StartStreams["stdin"], isOneStream: boolean): Promise<Started> {
    const { cwd, env, ...words } = this.spawnArguments;
    const { file, args } = isOneStream ? inOneStream(words) : words;
    return await start(file, [file, ...args], { cwd, env: { ...env }, stdin, extra: this.#parts.shape.extra });
  }

  protected get isReported(): boolean {
    return this.#parts.isReported === true;
  }

  /** Runs right after the start, before the event loop can reap the process and the kernel can reuse its pid. */
  #hold(pid: number, isReaped: () => boolean): void {
    this.resources.started();
    this.#tree = this.treeOf(pid, isReaped);
  }
}

/**
 * Sends stderr into stdout, because a reader of two streams cannot tell which line was printed first. Costs one more
 * exec and no additional process.
 */
function inOneStream({ file, args }: Pick<SpawnArguments, "file" | "args">): Pick<SpawnArguments, "file" | "args"> {
  return { file: "/bin/sh", args: ["-c", 'exec "$0" "$@" 2>&1', file, ...args] };
}

function wordsOf({ inner, isReported }: LaunchParts): readonly [words: readonly string[], redirection?: string] {
  return isReported === true ? [reportingWords(inner), REPORT_CHANNEL] : [inner];
}
