import type { OpsError } from "@llmc/errors";
import type { Extra, Started } from "@llmc/te-run";
import type { LimitHit } from "../limits/meter.js";
import type { Hidden } from "../sandbox/view.js";

/** What holds a command. */
export type SandboxKind = "bubblewrap" | "namespaces" | "off";

/** What each result says about how its command ran. */
export interface LaunchFacts {
  readonly sandbox: SandboxKind;
  /** Whether the network of the machine was open to it. */
  readonly network: boolean;
  /** What ends it, with all that it started, when we are gone. */
  readonly held: "pid namespace" | "watcher";
  /** What the answer does not mean: it saw the sandbox and not the machine. */
  readonly note?: string;
}

/**
 * A command that may run, ready to be started once: `spawn(file, args, {cwd, env})` with `extra` as its descriptors
 * from 3 on, or a terminal's `spawn` without them (a launch with `terminal` has none).
 */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly extra: readonly Extra[];
  /** The words of the command itself. */
  readonly argv: readonly [string, ...string[]];
  readonly facts: LaunchFacts;
  /** The same without a start, where a process waits that becomes the command; with /dev/null as stdin. */
  ready?(): Started | undefined;
  /** To be called right after the start, before the event loop can reap it. `isReaped`: whether we know of its end. */
  watch(pid: number, isReaped: () => boolean): Held;
  /** Why nothing ran inside, from the descriptors and what was printed; undefined where the program ran. After the end. */
  failure(end: LaunchEnd): Promise<LaunchFailure | undefined>;
  /** Gives back what the launch holds. After the end of everything in it, or when it was never started. */
  release(): Promise<void>;
}

/** Before it is known who gets back what it holds. */
export type Unreleased = Omit<Launch, "release">;

export interface LaunchEnd {
  readonly exitCode: number | null;
  /** All that came on the descriptor 3; undefined for a terminal, where nobody reads it. */
  readonly status: () => Promise<string | undefined>;
  /** The beginning of what was printed on stderr, or by the terminal. */
  readonly printed: string;
}

export type LaunchFailure =
  /** The program could not be executed: 126 or 127, as a shell has it. */
  | { readonly exitCode: 126 | 127; readonly message: string }
  /** What it was to run in is not there any more. */
  | { readonly folder: OpsError }
  | { readonly unavailable: string };

/** A started launch. */
export interface Held {
  /** The pid on this machine of the program itself; undefined when it ended before it was seen. */
  programPid(): Promise<number | undefined>;
  /** Signals the program's group; false when it has ended. */
  signal(signal: NodeJS.Signals): Promise<boolean>;
  /** Asks everything to end, then ends it. Answers the pids that even SIGKILL did not end. */
  end(graceMs?: number): Promise<readonly number[]>;
  /** The bound that was hit, as far as it is known now. */
  limitHit(): LimitHit | undefined;
}

/** There is no program of that name: exit code 127. */
export interface MissingProgram {
  readonly missing: string;
  /** Something is there, and no program: exit code 126. */
  readonly problem?: "Permission denied" | "Is a directory";
  /** Where it lies outside of what a command sees, and which key opens it; which program was meant; how it would run. */
  readonly hint?: string;
}

export interface LaunchSession {
  readonly id: string;
  readonly agentId: string;
  readonly model: string;
  /** Whose home and temporary folder it sees; default: the session's. */
  readonly folders?: string;
}

export interface ClosedToCommands {
  readonly hidden: readonly Hidden[];
  readonly guarded: readonly string[];
  readonly pinned: readonly string[];
}

export interface LaunchRequest {
  /** A line is split into words without a shell; with shell syntax in it, or with `isShell`, bash takes it whole. */
  readonly command: { readonly argv: readonly string[] } | { readonly line: string; readonly isShell?: boolean };
  /** Which of the operator's lists counts. */
  readonly tool: "run_cmd" | "proc_start";
  /** Absolute, without links, inside a root: the caller has judged it. */
  readonly cwd: string;
  /** What stays shut, where the caller has just looked; default: looked up. Asked for where a sandbox holds it. */
  readonly closed?: (cwd: string) => Promise<ClosedToCommands>;
  readonly session: LaunchSession;
  /** From the caller; names that change what a program runs are refused. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program gets a terminal of its own. `outer`: ours is around it already (node-pty), and hands sizes on. */
  readonly terminal?: { readonly cols: number; readonly rows: number; readonly outer: boolean };
}
