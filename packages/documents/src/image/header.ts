/** Facts from the first bytes of an image file, which may be false. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** True if the container is complete; the image data is not decoded. */
  readonly complete: boolean;
}
