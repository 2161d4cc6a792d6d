import { oneLine } from "./one-line.js";

export interface CrashOptions {
  /** Says it once, on stderr. */
  readonly report: (message: string, error: unknown) => void;
  /** What can still be saved without the event loop. */
  readonly flush: () => void;
}

/** A fault that nobody caught leaves the state unknown: one line, save the records, exit with 1. */
export function exitOnCrash({ report, flush }: CrashOptions): void {
  const crash = (thrown: unknown) => {
    try {
      report(`crashed: ${oneLine(thrown instanceof Error ? thrown.message : String(thrown))}`, thrown);
      flush();
    } finally {
      process.exit(1);
    }
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  // A reader of stderr that went away takes nothing with it.
  process.stderr.on("error", () => {});
}
