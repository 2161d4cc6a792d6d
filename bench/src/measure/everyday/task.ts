import type { Project } from "./project.js";

/**
 * Call of a tool. Names in its arguments stand for values: `$proc`, `$pid`, `$handle` and `$search` for the first such
 * value in an answer, `$shop` for the project's folder, `$running` for its server's port, `$free` for a free port.
 */
export type Call = readonly [tool: string, args: object];

/** Calls that do a task, one after the other. */
export type Way = readonly Call[];

export type Kind = "read" | "search" | "write" | "command" | "large output";

/** Job for an agent, with an expert's ways to do the job by each server. */
export interface Task {
  readonly name: string;
  readonly kind: Kind;
  /** Ways by the tools of each server; the cheapest way counts. */
  readonly ours: readonly Way[];
  readonly dc: readonly Way[];
  readonly fs?: readonly Way[];
  /** Command lines that do the task too, for servers with a shell. */
  readonly shell?: readonly (readonly string[])[];
  /** Tells whether the task is done, judged by the text that the model has read and by the project's files. */
  readonly check: (said: string, project: Project) => boolean;
  /** Tells whether the first call did its part, if the end of the task does not show that. */
  readonly midway?: (project: Project) => boolean;
}

export type Dialect = "ours" | "dc" | "fs";

export const run = (command: string): Call => ["te_run", { command }];
export const start = (command: string, timeout_ms = 5000): Call => ["start_process", { command, timeout_ms }];

/** Returns an absolute path, because peers' descriptions ask for absolute paths. */
export const at = (name: string): string => `$shop/${name}`;

const SHELL: Readonly<Record<Dialect, ((command: string) => Call) | null>> = {
  ours: (command) => ["te_run", { command }],
  dc: (command) => start(`cd $shop; ${command}`),
  fs: null,
};

/** Returns the ways by tools, then the ways by the shell. */
export function waysOf(task: Task, dialect: Dialect): readonly Way[] {
  const command = SHELL[dialect];
  const byShell = command === null ? [] : (task.shell ?? []).map((lines) => lines.map(command));
  return [...(task[dialect] ?? []), ...byShell];
}
