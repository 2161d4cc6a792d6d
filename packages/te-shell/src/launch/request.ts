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
  /** Absolute, without links, inside a root: the caller has judged it. */
  readonly cwd: string;
  /** Looked up by the caller just before, for this cwd. Only a sandbox enforces them. */
  readonly closed: ClosedPaths;
  readonly session: LaunchSession;
  /** From the caller; names that change the programs a command runs are refused. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gives the program a terminal of its own. `outer`: node-pty has made one around it already, and hands sizes on. */
  readonly terminal?: { readonly cols: number; readonly rows: number; readonly outer: boolean };
}

/** The kind of sandbox around a command. */
export type SandboxKind = "bubblewrap" | "namespaces" | "off";

/** Facts about the launch that stand in each result. */
export interface LaunchFacts {
  readonly sandbox: SandboxKind;
  /** Whether the network of the machine was open to the command. */
  readonly network: boolean;
  /** The mechanism that ends the command with its processes when this server is gone. */
  readonly held: "pid namespace" | "watcher";
  /** Warn that the answer is about the sandbox and not about the machine, and of what is read-only. */
  readonly notes: readonly Advice[];
}

/** Answers a command whose program does not exist: exit code 127. */
export interface MissingProgram {
  readonly missing: string;
  /** Set when the path exists and cannot be executed: exit code 126. */
  readonly problem?: "Permission denied" | "Is a directory";
  /** Says where the program lies outside of the sandbox and what opens it, or which program was meant. */
  readonly hint?: Advice;
}
