import { constants } from "node:os";
import { readStat, type Exit } from "@llmc/te-run";
import type { Started } from "./start.js";

const PASSED = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"] as const;
const FROM_KEYS = ["SIGINT", "SIGQUIT"] as const;
/** Signals that te can end by without a core dump of its own. */
const ENDING: ReadonlySet<string> = new Set(["SIGTERM", "SIGHUP", "SIGINT", "SIGKILL"]);

/** Passes signals to the command, and waits for its end. */
export function passSignals(child: Started["child"]): void {
  for (const name of PASSED) process.on(name, () => void child.kill(name));
  for (const name of FROM_KEYS) {
    process.on(name, () => {
      if (!isInForeground()) child.kill(name);
    });
  }
}

/** In the foreground of a terminal the kernel sends ctrl-c to the whole group, so the command has it already. */
function isInForeground(): boolean {
  const own = readStat(process.pid);
  return own !== undefined && own.group === own.foreground;
}

export function exitCodeOf({ code, signal }: Exit): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Ends as the command did. A shell stops its loop at ctrl-c only if te ends by the signal itself. */
export function endAs(exit: Exit): never {
  if (exit.signal !== null && ENDING.has(exit.signal)) {
    process.removeAllListeners(exit.signal);
    // oxlint-disable-next-line no-restricted-properties
    process.kill(process.pid, exit.signal);
  }
  process.exit(exitCodeOf(exit));
}
