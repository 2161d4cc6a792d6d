/** The part of a call that the envelope adds to its record: an output of a command, and its short form. */
export interface EnvelopeFacts {
  readonly command: string;
  /** Kind of the output: the recogniser, else the program. */
  readonly family: string;
  /** `error`: a recogniser threw or took too long, and the output was told as one of no known kind. */
  readonly mode: "enriched" | "passthrough" | "raw" | "error";
  /** Estimated tokens of both streams as printed, and as told. */
  readonly rawTokens: number;
  readonly shownTokens: number;
  readonly truncated: boolean;
  /** Handles of the streams that were shortened. */
  readonly handles: readonly string[];
  /** Milliseconds of the shortening, without the command. */
  readonly shorteningMs: number;
}
