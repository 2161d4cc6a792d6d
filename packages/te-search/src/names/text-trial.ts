import type { Bytes } from "@llmc/names";
import { BEYOND_ASCII, escapeRegex, fold } from "./fold.js";
import type { FoundBy } from "../query/names-query.js";
import { ABOVE, EXACT, INSIDE, isWordStart, NO_MATCH, placeOf, PREFIX, STEM, WORD } from "./place.js";
import type { Trial } from "./trial.js";

export interface Text {
  /** Already folded where case does not count. */
  readonly text: Bytes;
  readonly ignoreCase: boolean;
}

/** A part of a name; with a slash in it, of the path. A slash at the end asks for folders. */
export function textTrial({ text, ignoreCase }: Text, by: FoundBy = "pattern"): Trial {
  const wanted = text.replace(/\/+$/, "");
  const foldersOnly = wanted !== text;
  const trial = wanted.includes("/")
    ? pathTrial({ text: wanted, ignoreCase })
    : nameTrial({ text: wanted, ignoreCase });
  return {
    by,
    order: "short",
    enter: trial.enter,
    place: foldersOnly ? (name, isFolder) => (isFolder ? trial.place(name, true) : NO_MATCH) : trial.place,
  };
}

type Test = Pick<Trial, "enter" | "place">;

function nameTrial(wanted: Text): Test {
  const holds = holding(wanted);
  const folded = wanted.ignoreCase ? fold : asIs;
  return {
    enter: () => true,
    place: (name) => (holds(name) ? bestPlace(name, folded(name), wanted.text) : NO_MATCH),
  };
}

/**
 * A name has no slash. So the text either lies in the way to the folder, which all names in it share, or its last slash
 * is the one before the name: the way ends as the text begins, and the name begins as the text ends.
 */
function pathTrial({ text, ignoreCase }: Text): Test {
  const slash = text.lastIndexOf("/");
  const [head, tail] = [text.slice(0, slash), text.slice(slash + 1)];
  const folded = ignoreCase ? fold : asIs;
  let above = NO_MATCH;
  let here: "no" | "whole" | "part" = "no";
  const startsHere = (name: Bytes): boolean =>
    here !== "no" && (name.startsWith(tail) || (ignoreCase && folded(name).startsWith(tail)));
  return {
    enter(way) {
      const path = folded(way === "" ? "" : `/${way}`);
      above = `${path}/`.includes(text) ? ABOVE : NO_MATCH;
      here = "no";
      if (path.endsWith(head))
        here = head === "" || head.startsWith("/") || path.endsWith(`/${head}`) ? "whole" : "part";
      return above !== NO_MATCH || here !== "no";
    },
    place(name) {
      if (!startsHere(name)) return above;
      if (here === "part") return INSIDE;
      return placeOf(folded(name), 0, tail.length);
    },
  };
}

/** Whether a name holds the text, without making a string. */
function holding({ text, ignoreCase }: Text): (name: Bytes) => boolean {
  if (!ignoreCase) return (name) => name.includes(text);
  if (BEYOND_ASCII.test(text)) return (name) => BEYOND_ASCII.test(name) && fold(name).includes(text);
  // Without the flag "u" no letter of ASCII is equal to one beyond it.
  const regex = new RegExp(escapeRegex(text), "i");
  return (name) => regex.test(name);
}

/** A text may stand in a name several times. */
function bestPlace(name: Bytes, folded: Bytes, text: Bytes): number {
  const first = folded.indexOf(text);
  if (first === 0) {
    if (folded.length === text.length) return EXACT;
    return folded[text.length] === "." ? STEM : PREFIX;
  }
  // Folding takes the humps of camel case.
  const humps = name.length === folded.length ? name : folded;
  for (let at = first; at >= 0; at = folded.indexOf(text, at + 1)) if (isWordStart(humps, at)) return WORD;
  return INSIDE;
}

function asIs(name: Bytes): Bytes {
  return name;
}
