import { toBytes, unescapeName } from "@llmc/names";
import { quotedName } from "./file-name.js";

const QUOTED =
  /^(?:(?:---|\+\+\+|(?:rename|copy) to|\*\*\* (?:Add|Update) File:|\*\*\* Move to:) +)("(?:[^"\\]|\\.)*")/gm;

/**
 * Whether a path is read off a name that the diff has in quotes. Those are bytes as git writes them, so that a new file
 * gets just these; what stands without quotes is taken to the letter.
 */
export function quotedIn(diff: string): (path: string) => boolean {
  if (!diff.includes('"')) return () => false;
  const names = Array.from(diff.matchAll(QUOTED), ([, quoted = ""]) => quotedName(toBytes(quoted)));
  const special = names.filter((name) => unescapeName(toBytes(name)) !== undefined);
  // Without the `a/` in front it is the end of that name.
  return (path) => special.some((name) => name === path || name.endsWith(`/${path}`));
}
