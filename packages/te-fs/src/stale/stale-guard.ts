import type { ReadMarks } from "./read-marks.js";

/** What happens when another program changed a file since the session read it. */
export type StaleMode = "refuse" | "warn" | "off";

export interface StaleGuard {
  readonly mode: StaleMode;
  readonly marks: ReadMarks;
}
