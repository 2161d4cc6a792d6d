import type { Logger } from "../log/log.js";

/** What is wrong right now. Each problem is told once when it begins and once when it is over. */
export interface Problems {
  raise(subject: string, message: string): void;
  clear(subject: string, message: string): void;
  list(): readonly string[];
}

export interface ProblemsOptions {
  readonly log: Logger | null;
  readonly onProblem?: ((message: string) => void) | undefined;
}

export function createProblems({ log, onProblem }: ProblemsOptions): Problems {
  const open = new Map<string, string>();

  function raise(subject: string, message: string): void {
    if (open.has(subject)) return;
    open.set(subject, message);
    log?.warn({ problem: subject }, message);
    tell(message);
  }

  function clear(subject: string, message: string): void {
    if (!open.delete(subject)) return;
    log?.info({ problem: subject }, message);
    tell(message);
  }

  function tell(message: string): void {
    try {
      onProblem?.(message);
    } catch {
      // Whoever listens must not stop the records behind this one.
    }
  }

  return { raise, clear, list: () => [...open.values()] };
}
