import type { ReadMarks } from "./read-marks.js";

/** Reaction to a change by another program since the session read the file. */
export type StaleMode = "refuse" | "warn" | "off";

export interface StaleGuard {
  readonly mode: StaleMode;
  readonly marks: ReadMarks;
}
