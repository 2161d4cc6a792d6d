/** Scales pictures down. The one implementation is sharp, which an operator may install beside the server. */
export interface Scaler {
  readonly version: string;
  /** Null where the bytes cannot be decoded, or no size makes them small enough. */
  scale(bytes: Buffer, bounds: ScaleBounds): Promise<ScaledImage | null>;
}

export interface ScaleBounds {
  readonly edge: number;
  readonly bytes: number;
}

export interface ScaledImage {
  readonly data: Buffer;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}
