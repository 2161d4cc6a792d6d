/** A line of the digest. */
export interface Piece {
  readonly text: string;
  /** Lines of the output that the text tells in full. */
  readonly tells: number;
  /** Written by a transform; otherwise the text is a line of the output. */
  readonly isMade?: true;
}

/** End of the command, as far as a grammar may know it. */
export interface Ending {
  readonly failed: boolean;
  /** The other stream is empty. */
  readonly isAlone?: boolean;
}

/** Digests the lines of one stream; undefined where the lines have another shape. */
export type Grammar = (lines: readonly string[], ending: Ending) => readonly Piece[] | undefined;

export function asIs(line: string): Piece {
  return { text: line, tells: 1 };
}

export function made(text: string, tells = 0): Piece {
  return { text, tells, isMade: true };
}
