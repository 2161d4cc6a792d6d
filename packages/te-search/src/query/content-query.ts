/** What to look for in the contents of files. */
export interface ContentQuery {
  /** A folder, or one file that is then searched alone, whatever ignore rules say of it. */
  readonly root: string;
  /** What a relative root starts from. */
  readonly cwd?: string | undefined;
  /** A regular expression in the engine's syntax, or the text itself with `literal`. */
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** Files to search, as .gitignore writes them; a leading `!` leaves out. */
  readonly glob?: readonly string[] | undefined;
  /** A file type by ripgrep's name: "ts", "py", "rust". */
  readonly type?: string | undefined;
  /** Just these files, which an earlier search has found, given by their ways; no more of each than so many lines. */
  readonly among?: { readonly ways: readonly string[]; readonly linesOfEach: number } | undefined;
  /** Lets a hit span lines. */
  readonly multiline: boolean;
  readonly respectIgnore: boolean;
  readonly includeHidden: boolean;
  /** "lines" gives hits; "files" only which files; "count" how many hits in each. */
  readonly mode: "lines" | "files" | "count";
  /** After so many hits (in "files": files) the engine is ended, and the total is a lower bound. */
  readonly maxScanHits: number;
  /** How much the hits that are kept may weigh. Beyond it hits are counted, per file too, but not kept. */
  readonly maxKeptBytes: number;
  /** Characters kept of a line; a longer one is cut around its first match. */
  readonly maxLineChars: number;
}

/** Query for a text in memory. */
export type TextQuery = Pick<
  ContentQuery,
  "pattern" | "literal" | "ignoreCase" | "multiline" | "mode" | "maxScanHits" | "maxKeptBytes" | "maxLineChars"
>;

/** Text in UTF-8 that is not in a file. */
export interface HeldText {
  /** Path of the hits. */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface SearchOptions {
  readonly signal?: AbortSignal | undefined;
  /** From now. What was found until then is the answer. */
  readonly deadlineMs: number;
}

export interface ContentOptions extends SearchOptions {
  /**
   * Told as hits arrive, in the order found, and may be told of a hit that the answer then leaves out because its file
   * turned out to be binary.
   */
  readonly onHit?: ((hit: Hit, file: FoundFile) => void) | undefined;
}

/** A file as it is named. */
export interface FoundFile {
  /** Path below the search root, in bytes (one character each); "" is the search root itself. */
  readonly way: string;
  /** Absolute display path, from the root as the caller spelled it; files.open() takes the path. */
  readonly path: string;
}

export interface HitFile extends FoundFile {
  /** All hits of the file; 1 in the mode "files". */
  readonly count: number;
  /** Those that were kept, in the order of the lines. Empty in the modes "files" and "count". */
  readonly hits: readonly Hit[];
}

/** One line that matches; with `multiline` the lines of one match. */
export interface Hit {
  /** From 1. */
  readonly line: number;
  /** Of the first match, in characters (code points) of its line, from 1. */
  readonly column: number;
  /** Of the line's first byte in the file; in the text of it, if the file is UTF-16. */
  readonly offset: number;
  /** Without the end of line. Bytes that are no UTF-8 are U+FFFD. */
  readonly text: string;
  /** Characters that were cut before and after `text`, for it to fit `maxLineChars`. */
  readonly cut: { readonly before: number; readonly after: number };
  /** The last line of a match over several lines, where `text` is cut before it. */
  readonly endLine?: number | undefined;
  /** Where `text` matches, as for text.slice(from, to); at most a hundred. */
  readonly spans: readonly (readonly [from: number, to: number])[];
}
