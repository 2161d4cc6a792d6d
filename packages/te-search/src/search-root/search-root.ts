import type { Bytes } from "@llmc/names";

/** Where a search starts. Nothing is held open for it: whatever works on it walks to it again. */
export interface SearchRoot {
  /** Absolute, as the caller spelled it. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /** Without links, as bytes. */
  readonly real: Bytes;
  /** The outermost root from which it can be reached. */
  readonly root: { readonly path: string; readonly real: Bytes };
  /** What stays shut at or below the root, by its real path. */
  readonly closed: readonly ClosedPath[];
  /** Something of ours has a second name somewhere: what a program finds is to be looked at by our own way. */
  readonly hasAliases: boolean;
}

export interface ClosedPath {
  readonly real: Bytes;
  /** "absent": nothing there that could be entered; a link is none either, since no search follows it. */
  readonly kind: "file" | "folder" | "absent";
}

export interface SearchRootOptions {
  /** What a relative path starts from; without it the first root. */
  readonly cwd?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
