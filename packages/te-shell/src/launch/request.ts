import type { Advice } from "@llmc/errors";
import type { ClosedPaths } from "../sandbox/closed-paths.js";

export interface LaunchSession {
  readonly id: string;
  readonly agentId: string;
  readonly model: string;
  /** Key of the home and temporary folder that the command sees; default: the session's id. */
  readonly folders?: string;
}

export interface LaunchRequest {
  /** A line is split into words without a shell; with shell syntax in it, or with `isShell`, bash takes it whole. */
  readonly command: { readonly argv: readonly string[] } | { readonly line: string; readonly isShell?: boolean };
  /** Selects the operator's list that counts. */
  readonly use: "command" | "process";
  /** Absolute path without symlinks inside a root, checked by the caller. */
  readonly cwd: string;
  /** Paths closed to a command in `cwd`, looked up by the caller just before. Only a sandbox enforces this list. */
  readonly closed: ClosedPaths;
  readonly session: LaunchSession;
  /** Variables from the caller. A name that changes the programs of a command is refused. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gives the program a terminal of its own. `outer` means that a terminal of node-pty around it passes sizes on. */
  readonly terminal?: { readonly cols: number; readonly rows: number; readonly outer: boolean };
}

/** The kind of sandbox around a command. */
export type SandboxKind = "bubblewrap" | "namespaces" | "off";

/** Facts about the launch for each result. */
export interface LaunchFacts {
  readonly sandbox: SandboxKind;
  /** Whether the network of the machine was open to the command. */
  readonly network: boolean;
  /** The mechanism that ends the command with its processes when this server is gone. */
  readonly held: "pid namespace" | "watcher";
  /** Warnings that the answer is about the sandbox and not the machine, or that folders are read-only. */
  readonly notes: readonly Advice[];
}

/** A command whose program does not exist (exit code 127) or cannot be executed (126). */
export interface MissingProgram {
  readonly missing: string;
  /** Set for a builtin of the shell that would change nothing for the next command; the hint explains it. */
  readonly isBuiltin?: true;
  /** Set if the path exists but cannot be executed. */
  readonly problem?: "Permission denied" | "Is a directory";
  /** Advice, such as the place of the program outside of the sandbox, or a similar name. */
  readonly hint?: Advice;
}
