import type { Bytes } from "@llmc/names";
import { escapeRegex, foldLoosely, foldText, BEYOND_ASCII, utf8Bytes } from "./fold.js";
import { ABOVE, INSIDE, NO_MATCH, placeOf } from "./place.js";
import type { Trial } from "./trial.js";

/** Between letters, and where a word begins by its case. */
const BETWEEN = /[^\p{L}\p{N}\p{M}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const JOINTS = "[-_. ]?";
const MAX_CHARS = 200;

/**
 * The pattern's words however they are joined: "user service", UserService and user_service are one; then, less good,
 * all of them in any order. Undefined where the pattern has none.
 */
export function wordsTrial(pattern: string): Trial | undefined {
  const words = pattern
    .normalize("NFC")
    .split(BETWEEN)
    .filter((word) => word !== "")
    .map((word) => utf8Bytes(foldText(word)));
  const letters = words.join("");
  if (letters === "" || letters.length > MAX_CHARS) return undefined;
  const joined = new RegExp(letters.split("").map(escapeRegex).join(JOINTS), "i");
  const folded = BEYOND_ASCII.test(letters) ? foldLoosely : (name: Bytes): Bytes => name;
  // A letter alone stands in every other name.
  const each = words.length > 1 && words.every((word) => word.length > 1) ? words.map(anywhere) : undefined;
  let missing: readonly RegExp[] | undefined;
  return {
    by: "words",
    order: "short",
    enter(way) {
      const path = folded(way);
      missing = each?.filter((word) => !word.test(path));
      return true;
    },
    place(name) {
      const text = folded(name);
      const found = joined.exec(text);
      if (found !== null) return placeOf(text, found.index, found.index + found[0].length);
      if (each === undefined || missing === undefined) return NO_MATCH;
      if (missing.length === 0) return each.some((word) => word.test(text)) ? ABOVE : NO_MATCH;
      if (!missing.every((word) => word.test(text))) return NO_MATCH;
      return missing.length === each.length ? INSIDE : ABOVE;
    },
  };
}

function anywhere(word: Bytes): RegExp {
  return new RegExp(escapeRegex(word), "i");
}
