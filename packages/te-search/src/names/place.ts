import type { Bytes } from "@llmc/names";

/** How good a place in a name is. Smaller is better. */
export const EXACT = 0;
export const STEM = 1;
export const PREFIX = 2;
export const WORD = 3;
export const INSIDE = 4;
/** In the folders above alone. */
export const ABOVE = 5;

export const NO_MATCH = -1;

const NO_LETTER = /[\0-/:-@[-`{-\x7f]/;
const CAMEL = /[a-z0-9][A-Z]/;

/** What a match from `from` to `to` is worth; `start` is where the name begins, if the text is a whole path. */
export function placeOf(text: Bytes, from: number, to: number, start = 0): number {
  if (to <= start && start > 0) return ABOVE;
  if (from === to) return INSIDE;
  const begins = from === start || (from < start && (from === 0 || text[from] === "/" || text[from - 1] === "/"));
  if (!begins) return from > start && isWordStart(text, from) ? WORD : INSIDE;
  if (to === text.length) return EXACT;
  return text[to] === "." ? STEM : PREFIX;
}

/** Whether a word begins here: after what is no letter, or as camel case has it. */
export function isWordStart(text: Bytes, at: number): boolean {
  return at === 0 || NO_LETTER.test(text[at - 1] as string) || CAMEL.test(text.slice(at - 1, at + 1));
}
