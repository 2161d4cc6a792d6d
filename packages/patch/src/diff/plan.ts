/** How a line ends; "" is the last line of a file without a newline at its end. */
export type LineEnd = "\n" | "\r\n" | "";

export type Op = " " | "-" | "+";

/** A line of the diff itself. */
export interface DiffLine {
  readonly text: string;
  readonly end: LineEnd;
}

/** One line of a hunk. Text is kept as bytes, one character each, so that what is no UTF-8 comes through unharmed. */
export interface HunkLine {
  readonly op: Op;
  readonly text: string;
  readonly end: LineEnd;
  /** A context line that stood in the diff without the space before it. */
  readonly bare: boolean;
}

export interface Hunk {
  /** Counted from 1 within its file. */
  readonly number: number;
  /** As written, for messages. */
  readonly header: string;
  /** The line of the old file that the header names, from 1; null where it names none. */
  readonly line: number | null;
  /** Lines that stand above the hunk, outermost first: the text behind `@@` where there are no numbers. */
  readonly anchors: readonly string[];
  /** What stands behind the numbers and the second `@@`: a line above the hunk, as git names it. */
  readonly section: string | null;
  /** `*** End of File` follows. */
  readonly atEnd: boolean;
  readonly lines: readonly HunkLine[];
  /** Its counts were wrong or missing and were taken from its lines. */
  readonly repaired: boolean;
}

/** How a name of the diff is read: without `a/` and `b/`, as it stands, or with `a/` for the slash of an absolute path. */
export type Spelling = "stripped" | "written" | "absolute";

export interface PathPair {
  /** Null: the diff makes the file. */
  readonly oldPath: string | null;
  /** Null: the diff deletes the file. */
  readonly newPath: string | null;
  readonly spelling: Spelling;
}

export type PlanKind = "modify" | "create" | "delete" | "rename" | "copy";

/** What a diff asks for one file. */
export interface FilePlan {
  readonly kind: PlanKind;
  /** What the names may mean, likeliest first: only the file system knows whether the `a/` of `a/x` is a folder. */
  readonly paths: readonly PathPair[];
  readonly mode: FileMode | null;
  readonly hunks: readonly Hunk[];
}

export type FileMode = 0o644 | 0o755;

export interface DiffLimits {
  readonly maxBytes: number;
  readonly maxLines: number;
  readonly maxFiles: number;
  readonly maxHunks: number;
}

export const DIFF_LIMITS: DiffLimits = {
  maxBytes: 8 * 1024 * 1024,
  maxLines: 200_000,
  maxFiles: 1000,
  maxHunks: 20_000,
};
