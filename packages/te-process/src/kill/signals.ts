import { constants } from "node:os";

/** The signals that a tool may send, without their SIG. */
export const SIGNALS = ["TERM", "KILL", "INT", "HUP", "STOP", "CONT", "USR1", "USR2", "QUIT"] as const;
export type SignalName = (typeof SIGNALS)[number];

export function signalNumber(name: SignalName): number {
  return constants.signals[`SIG${name}`];
}

/** Those that end a process that does nothing about them. */
export function isEnding(name: SignalName): boolean {
  return name !== "STOP" && name !== "CONT";
}
