/** What a file's first bytes say about its picture. Whoever made the file chose them: a claim, not a fact. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** Whether the picture is all there, as far as the container tells without decoding it. */
  readonly complete: boolean;
}
