/** A name or path with one character for each byte. */
export type Bytes = string;

/** Where a search starts. */
export interface Ground {
  /** Absolute, as the caller spells it. */
  readonly path: string;
  readonly kind: "file" | "folder";
  readonly real: Bytes;
  readonly root: { readonly path: string; readonly real: Bytes };
  readonly closed: readonly { readonly real: Bytes; readonly kind: "file" | "folder" | "absent" }[];
}
