import { InvalidPathError } from "@llmc/errors";
import type { Bytes } from "./bytes.js";
import { normalizePath, toBytes } from "./names.js";

/** A path as a caller gave it, made absolute. Nothing has been looked up yet. */
export interface RequestedPath {
  /** The caller's spelling, absolute and settled: what results and errors show. */
  readonly shown: string;
  readonly path: Bytes;
  /** It ended in a slash (or `/.`): only a folder will do. */
  readonly folder: boolean;
  /** Somebody typed it, who may have read it somewhere: a name that is shown like that is meant before one to the letter. */
  readonly typed?: boolean;
  /** It was written as names are shown, and is never meant to the letter. */
  readonly exact?: boolean;
}

/** `base` is what a relative path starts from, `home` what `~` stands for. */
export function parseRequestedPath(argument: string, base: string, home: string): RequestedPath {
  if (argument === "") throw new InvalidPathError('""', "is empty", "Name a file or a folder.");
  if (argument.includes("\0"))
    throw new InvalidPathError(argument.replaceAll("\0", "\\0"), "contains a NUL character", "Leave it out.");
  if (/\p{Surrogate}/u.test(argument))
    throw new InvalidPathError(argument, "contains half a character", "Leave it out; \\xNN spells a byte.");
  const shown = normalizePath(absolute(argument, base, home));
  return { shown, path: toBytes(shown), folder: /\/\.?$/.test(argument), typed: true };
}

function absolute(argument: string, base: string, home: string): string {
  if (argument === "~" || argument.startsWith("~/")) return home + argument.slice(1);
  return argument.startsWith("/") ? argument : `${base}/${argument}`;
}
