import type { Bytes } from "../path/bytes.js";

/** A line of a .gitignore, taken apart as git does it. */
export interface IgnoreLine {
  /** Without the marks below, and without a slash in front or, of a name, the folders in front. */
  readonly pattern: Bytes;
  /** `!`: what it matches is not ignored after all. */
  readonly negated: boolean;
  /** A slash at the end. */
  readonly foldersOnly: boolean;
  /** It is about names at any depth, not about paths. */
  readonly byName: boolean;
  /** No wildcard and no escape. */
  readonly literal: boolean;
}

const MARK = "\xef\xbb\xbf";

export function readIgnoreLines(text: Bytes): IgnoreLine[] {
  const lines = (text.startsWith(MARK) ? text.slice(MARK.length) : text).split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map(readLine);
}

function readLine(line: Bytes): IgnoreLine {
  let rest = withoutSpaces(beforeNul(line.endsWith("\r") ? line.slice(0, -1) : line));
  const negated = rest.startsWith("!");
  if (negated) rest = rest.slice(1);
  const foldersOnly = rest.endsWith("/");
  if (foldersOnly) rest = rest.slice(0, -1);
  const path = rest.startsWith("/") ? rest.slice(1) : rest;
  // Folders or none in front of a name say "anywhere", too, and a name is quicker to look at than a path.
  const name = path.replace(/^(?:\*{2,}\/)+/, "");
  const byName = !name.includes("/") && (name !== path || path === rest);
  const pattern = byName ? name : path;
  return { pattern, negated, foldersOnly, byName, literal: !/[*?[\\]/.test(pattern) };
}

/** To git a line is a string of C. */
function beforeNul(line: Bytes): Bytes {
  const end = line.indexOf("\0");
  return end < 0 ? line : line.slice(0, end);
}

/** Spaces at the end do not count, unless a backslash holds the first of them. */
function withoutSpaces(line: Bytes): Bytes {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === " ") continue;
    end = at + 1;
  }
  return line.slice(0, end);
}
