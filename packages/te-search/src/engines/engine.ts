/** A program that searches contents. */
export interface Ripgrep {
  readonly kind: "ripgrep";
  /** Absolute. */
  readonly program: string;
  /** "ripgrep 15.0.0". */
  readonly name: string;
  readonly packaged: boolean;
  readonly hasPcre2: boolean;
  /** Whether --debug tells which files are binary. */
  readonly tellsBinary: boolean;
}

export interface Grep {
  readonly kind: "grep";
  readonly program: string;
  readonly name: string;
  /** Whether -P works, with all of Unicode. */
  readonly hasPcre2: boolean;
}

export interface FoundEngines {
  readonly content: Ripgrep | Grep | null;
  /** What hands names to an engine. */
  readonly xargs: string | null;
}
