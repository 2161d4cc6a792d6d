import type { Budget } from "../../../answer/budget.js";
import type { ShownImage } from "../../../answer/shown-image.js";

/** What is asked of one file. */
export interface Wanted {
  readonly offsetLines: number;
  readonly maxLines: number;
  readonly tailLines: number | undefined;
  /** Of a PDF: "3", "1-5" or "2-". */
  readonly pages: string | undefined;
  readonly budget: Budget;
}

/** What one file answers. */
export interface Reading {
  readonly content: string;
  readonly handle: string | null;
  readonly meta: {
    path: string;
    total_lines: number;
    truncated: boolean;
    first_line?: number | undefined;
    returned_lines?: number | undefined;
    next_offset_lines?: number | undefined;
    cut_lines?: { line: number; chars: number }[] | undefined;
    encoding?: string | undefined;
    replaced_chars?: number | undefined;
    past_end?: number | undefined;
    pages?: string | undefined;
    total_bytes?: number | undefined;
    next_offset_bytes?: number | null | undefined;
    changed_while_read?: true | undefined;
  };
  readonly image?: ShownImage | undefined;
}
