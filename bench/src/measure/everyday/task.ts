import type { Project } from "./project.js";

/**
 * A call of a tool. In its arguments `$proc`, `$pid`, `$handle` and `$search` stand for what the first answer that has
 * one gave, `$shop` for the project's folder, `$running` for the port of its server, `$free` for one that nobody has.
 */
export type Call = readonly [tool: string, args: object];

/** Calls, one after the other, that do a task. */
export type Way = readonly Call[];

export type Kind = "read" | "search" | "write" | "command" | "large output";

/** A job for an agent, and the ways in which an expert of each server would have it done. */
export interface Task {
  readonly name: string;
  readonly kind: Kind;
  /** By the tools that each server has for it; the cheapest way counts. */
  readonly ours: readonly Way[];
  readonly dc: readonly Way[];
  readonly fs?: readonly Way[];
  /** Command lines that do it as well, for those that have a shell. */
  readonly shell?: readonly (readonly string[])[];
  /** Whether it is done, judged by the text that the model has read and by the project's files. */
  readonly check: (said: string, project: Project) => boolean;
  /** Whether the first call did its part, where the end does not show that. */
  readonly midway?: (project: Project) => boolean;
}

export type Dialect = "ours" | "dc" | "fs";

export const run = (command: string): Call => ["run_cmd", { command }];
export const start = (command: string, timeout_ms = 5000): Call => ["start_process", { command, timeout_ms }];

/** Paths of peers are absolute, as their descriptions ask for; ours start from the root. */
export const at = (name: string): string => `$shop/${name}`;

const SHELL: Readonly<Record<Dialect, ((command: string) => Call) | null>> = {
  ours: (command) => ["run_cmd", { command }],
  dc: (command) => start(`cd $shop; ${command}`),
  fs: null,
};

/** The ways by tools first, then those by the shell. */
export function waysOf(task: Task, dialect: Dialect): readonly Way[] {
  const command = SHELL[dialect];
  const byShell = command === null ? [] : (task.shell ?? []).map((lines) => lines.map(command));
  return [...(task[dialect] ?? []), ...byShell];
}
