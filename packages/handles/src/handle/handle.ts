/** What the maker of a handle says about it, for whoever reads it. `kind` as seed 001 section 3.2. */
export interface HandleMeta {
  readonly kind: string;
  readonly [key: string]: unknown;
}

export interface Handle {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Bytes of the payload as it was given. */
  readonly size: number;
  readonly sha256: string;
  readonly meta: HandleMeta;
}

/** The identity of an unchanged file: while these stay equal, so does its content. */
export interface HandleSource {
  readonly dev: bigint | number;
  readonly ino: bigint | number;
  readonly size: bigint | number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** When the content was read, in milliseconds since the epoch. */
  readonly readAtMs: number;
}

export interface HandleInput {
  /** Who may read it: (token name, session), as one string. */
  readonly owner: string;
  /** Becomes part of the id: `[a-z][a-z0-9_]*`, at most 32 characters. */
  readonly type: string;
  readonly meta: HandleMeta;
  /** Must not change until `create` has settled. */
  readonly payload: Uint8Array;
  /** Given where the payload is the whole of a file: the same unchanged file then has one handle for each owner. */
  readonly source?: HandleSource | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface HandleSlice {
  readonly data: Buffer;
  readonly offset: number;
  readonly totalBytes: number;
  readonly handle: Handle;
}

export interface HandleLimits {
  readonly maxTotalBytes: number;
  readonly maxPayloadBytes: number;
  readonly maxAgeHours: number;
}

export interface HandlePage {
  readonly limit: number;
  /** The last handle of the page before. */
  readonly before?: Pick<Handle, "createdAt" | "id"> | undefined;
}

export interface Swept {
  readonly expired: number;
  readonly evicted: number;
}

/**
 * Payloads too large for an answer, kept for a while under an id that nobody guesses. A handle belongs to its owner:
 * for everybody else it does not exist (HANDLE_NOT_FOUND). One that aged out or made room is HANDLE_EXPIRED.
 */
export interface HandleStore {
  /** Null when the payload is larger than the store takes. Once this resolves, the handle survives a kill of us. */
  create(input: HandleInput): Promise<Handle | null>;
  /** The live handle of an unchanged file, without reading the file or the payload. */
  findBySource(owner: string, source: Omit<HandleSource, "readAtMs">): Promise<Handle | null>;
  get(owner: string, id: string): Promise<Handle>;
  /** Bytes of the payload from `offset` on; less than `limit` at its end. */
  readSlice(owner: string, id: string, offset: number, limit: number): Promise<HandleSlice>;
  /** Whether there was such a handle. */
  delete(owner: string, id: string): Promise<boolean>;
  /** Newest first. */
  list(owner: string, page: HandlePage): Promise<readonly Handle[]>;
  /** Drops what aged out or is over the limits. The store does so by itself from time to time. */
  sweep(): Promise<Swept>;
  /** Ends the store's own work. The database stays open: it belongs to whoever opened it. */
  close(): Promise<void>;
}
