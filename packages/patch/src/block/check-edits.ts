import { InvalidArgumentError } from "@llmc/errors";

export interface BlockEdit {
  readonly oldText: string;
  readonly newText: string;
  /** How often `oldText` must occur; once if it is left out. */
  readonly expected?: number;
}

export const MOST_EDITS = 1000;
/** More than this takes longer than others should wait. */
export const MOST_REPLACEMENTS = 100_000;

/** Refuses what cannot be meant. */
export function checkEdits(edits: readonly BlockEdit[]): void {
  if (edits.length === 0) throw new InvalidArgumentError("There is no edit", "Give old_text and new_text.");
  if (edits.length > MOST_EDITS) {
    throw new InvalidArgumentError(`${edits.length} edits are too many`, `Send at most ${MOST_EDITS} in one call.`);
  }
  for (const [nth, edit] of edits.entries()) checkEdit(edit, edits.length === 1 ? "" : `edits[${nth}].`);
}

function checkEdit({ oldText, newText, expected = 1 }: BlockEdit, prefix: string): void {
  if (expected > MOST_REPLACEMENTS) {
    throw new InvalidArgumentError(
      `${prefix}expected_replacements is above ${MOST_REPLACEMENTS}`,
      "Send them in several calls.",
    );
  }
  if (oldText === "") {
    throw new InvalidArgumentError(
      `${prefix}old_text is empty`,
      'To insert, put the line beside the place into old_text and repeat it in new_text; to append, use linux.fs_write with mode: "append".',
    );
  }
  if (oldText === newText) {
    throw new InvalidArgumentError(
      `${prefix}old_text and new_text are the same, so nothing would change`,
      "Put into new_text what is to stand there, or leave the edit out.",
    );
  }
  for (const [argument, text] of Object.entries({ old_text: oldText, new_text: newText })) {
    if (!HALF_PAIR.test(text)) continue;
    throw new InvalidArgumentError(
      `${prefix}${argument} has half of a surrogate pair, which is no character`,
      "Send the whole character.",
    );
  }
}

// With the u flag a pair is one character, so only a half that stands alone is found.
const HALF_PAIR = /[\ud800-\udfff]/u;
