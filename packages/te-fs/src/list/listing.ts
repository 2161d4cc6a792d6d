export type EntryType = "file" | "dir" | "symlink" | "other";

export interface ListedEntry {
  /** Its last name; bytes that are no UTF-8 as `\xNN`. */
  readonly name: string;
  readonly type: EntryType;
  /** Of a file. */
  readonly size?: number;
  readonly mtimeMs?: number;
  /** What is written in a link. Whether anything is there is not looked at. */
  readonly target?: string;
  /** Why it, or what lies in it, is not told. */
  readonly problem?: string;
  /** What lies in it, where it was entered. */
  readonly contents?: ListedFolder;
}

export interface ListedFolder {
  /** Absolute, as the caller spelled the listed folder. */
  readonly path: string;
  /** 0 for the listed folder itself. */
  readonly depth: number;
  /** Folders first, each by the bytes of its name. Of a folder with too many to keep none, of the listed one the first. */
  readonly entries: readonly ListedEntry[];
  /** How many belong into the list, kept or not. */
  readonly count: number;
  /** The same with all below it, as deep as was walked. */
  readonly total: number;
}

export interface Listing {
  /** Absolute, as the caller spelled it. */
  readonly path: string;
  /** Breadth first: the listed folder, those in it, those in them. */
  readonly folders: readonly ListedFolder[];
  readonly total: number;
  /** Names with a dot that were left out, in the folders that were read. */
  readonly hidden: number;
  /** Left out because of a .gitignore. */
  readonly ignored: number;
  /** Rules that are not in force, where there are more than anybody would write. */
  readonly skippedRules?: number;
  /** Every entry that was found is in `folders`. */
  readonly isWhole: boolean;
  /** Folders that were not entered because time was up, or because there are too many; so `total` is too low. */
  readonly notEntered: number;
}
