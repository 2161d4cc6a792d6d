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
  if (edits.length === 0) throw new InvalidArgumentError("There is no edit", { id: "give-an-edit" });
  if (edits.length > MOST_EDITS) {
    throw new InvalidArgumentError(`${edits.length} edits are too many`, `Send at most ${MOST_EDITS} in one call.`);
  }
  for (const [nth, edit] of edits.entries()) checkEdit(edit, edits.length === 1 ? {} : { edit: nth });
}

interface Which {
  /** Index of the edit, from 0; left out if there is only one edit. */
  readonly edit?: number;
}

function checkEdit({ oldText, newText, expected = 1 }: BlockEdit, which: Which): void {
  const prefix = which.edit === undefined ? "" : `edit ${which.edit}: `;
  if (expected > MOST_REPLACEMENTS) {
    throw new InvalidArgumentError(`${prefix}more than ${MOST_REPLACEMENTS} replacements are expected`, {
      id: "fewer-replacements",
      ...which,
      most: MOST_REPLACEMENTS,
    });
  }
  if (oldText === "")
    throw new InvalidArgumentError(`${prefix}the text to replace is empty`, { id: "name-old-text", ...which });
  if (oldText === newText) {
    throw new InvalidArgumentError(`${prefix}the new text is the one to replace, so nothing would change`, {
      id: "change-something",
      ...which,
    });
  }
  refuseHalves(oldText, `${prefix}the text to replace`, { ...which, text: "old" });
  refuseHalves(newText, `${prefix}the new text`, { ...which, text: "new" });
}

// With the u flag a pair is one character, so only a half that stands alone is found.
const HALF_PAIR = /[\ud800-\udfff]/u;

function refuseHalves(text: string, named: string, which: Which & { readonly text: "old" | "new" }): void {
  if (!HALF_PAIR.test(text)) return;
  throw new InvalidArgumentError(`${named} has half of a surrogate pair, which is not a character`, {
    id: "whole-characters",
    ...which,
  });
}
