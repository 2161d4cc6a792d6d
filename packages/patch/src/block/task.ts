import type { BlockEdit } from "./check-edits.js";
import type { Spend } from "./limits.js";
import type { Normalize } from "./shape.js";
import type { UnitText } from "./unit-text.js";

/** One edit, and what it is made on. */
export interface Task {
  readonly text: UnitText;
  /** What the edits before left. */
  readonly units: string;
  readonly edit: BlockEdit;
  /** Which of several edits it is; undefined where it is the only one. */
  readonly index: number | undefined;
  readonly path: string;
  readonly normalize: Normalize | undefined;
  /** Throws when more is written than the file may grow to. */
  readonly spend: Spend;
}

/** Places that an error or a report lists. */
export const LISTED = 10;
