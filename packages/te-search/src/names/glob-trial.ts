import { compileGlob } from "@llmc/names";
import type { Bytes } from "@llmc/names";
import { fold } from "./fold.js";
import type { FoundBy } from "../query/names-query.js";
import { EXACT, NO_MATCH } from "./place.js";
import type { Trial } from "./trial.js";

/** `*`, and then nothing that a glob reads in its own way. */
const ENDING = /^\*([^*?[\]{}\\/!]+)$/;

export function globTrial(
  glob: string,
  { ignoreCase }: { readonly ignoreCase: boolean },
  by: FoundBy = "pattern",
): Trial {
  const compiled = compileGlob(glob);
  const folded = ignoreCase ? fold : (name: Bytes): Bytes => name;
  if (!glob.includes("/")) {
    const mayEnd = endingTest(glob, ignoreCase);
    return {
      by,
      order: "shallow",
      enter: () => true,
      place: (name, isFolder) => (mayEnd(name) && compiled.matches(folded(name), isFolder) ? EXACT : NO_MATCH),
    };
  }
  let path = "";
  return {
    by,
    order: "shallow",
    enter(way) {
      const folder = folded(way);
      path = folder === "" ? "" : `${folder}/`;
      return compiled.couldMatchBelow(folder);
    },
    place: (name, isFolder) => (compiled.matches(path + folded(name), isFolder) ? EXACT : NO_MATCH),
  };
}

/** The commonest globs (`*.ts`) say how a name ends, and that is tested much faster. */
function endingTest(glob: string, ignoreCase: boolean): (name: Bytes) => boolean {
  const ending = ENDING.exec(glob)?.[1];
  const last = ending?.charCodeAt(ending.length - 1) ?? 128;
  if (last >= 128) return () => true;
  const other = ignoreCase ? String.fromCharCode(last).toUpperCase().charCodeAt(0) : last;
  return (name) => {
    const code = name.charCodeAt(name.length - 1);
    return code === last || code === other;
  };
}
