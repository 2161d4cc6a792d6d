import {
  close,
  drive,
  fill,
  fromErrno,
  fstat,
  sha256OfBytes,
  type Descriptor,
  type Network,
  type Stat,
  type Work,
} from "@llmc/te-path";
import { type Bytes, displayPath } from "@llmc/names";

/** Which content a file had: the same identity twice means the same bytes, unless it changed within the clock's grain. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A regular file inside the roots, open for reading. */
export interface OpenFile extends AsyncDisposable {
  /** Absolute, as the caller spelled it. */
  readonly path: string;
  /** Without links, when it was opened. */
  readonly real: string;
  readonly identity: FileIdentity;
  readonly size: number;
  /** Never fails; reads that are under way end first. */
  close(): Promise<void>;
}

export interface RegularFileFacts {
  readonly path: string;
  readonly real: Bytes;
  readonly file: Descriptor;
  readonly stat: Stat;
  readonly network: Network;
  readonly once?: ReadOnce | undefined;
}

/** The content of a small file, from a single read. */
export interface Content {
  readonly bytes: Buffer;
  /** When the read began, in ms since 1970. */
  readonly readAt: number;
}

/** Callbacks of `Files.read`. */
export interface ReadOnce {
  /** Called once, at the first read. Gets the hash only of a small local file that did not change meanwhile. */
  readonly onRead: (sha256: string | undefined) => void;
  /** Returns whether a page of the file can be found without a scan of the whole file. */
  readonly isMapped: (identity: FileIdentity) => boolean;
}

/** Files up to this size are read in one pass, unless their lines are indexed. */
const READ_ONCE_BYTES = 1024 * 1024;
/** Larger files are not hashed, because a hash would cost as much as the read itself. */
const SUMMED_BYTES = 256 * 1024;

export class RegularFile implements OpenFile {
  readonly path: string;
  readonly real: string;
  readonly identity: FileIdentity;
  readonly size: number;
  readonly realBytes: Bytes;
  readonly stat: Stat;
  readonly #file: Descriptor;
  readonly #network: Network;
  readonly #once: ReadOnce | undefined;
  /** Undefined before the first read; null if the file is read piece by piece. */
  #content: Content | null | undefined;
  readonly #work = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor({ path, real, file, stat, network, once }: RegularFileFacts) {
    this.path = path;
    this.real = displayPath(real);
    this.realBytes = real;
    this.stat = stat;
    this.identity = identityOf(stat);
    this.size = Number(stat.size);
    this.#file = file;
    this.#network = network;
    this.#once = once;
    if (once === undefined) this.#content = null;
  }

  static of(file: OpenFile): RegularFile {
    if (file instanceof RegularFile) return file;
    throw new TypeError("not a file that Files.open returned");
  }

  get isLocal(): boolean {
    return this.#file.mount === null;
  }

  /** Works on the descriptor, which stays open until that is done: its number must not become another file's. */
  async use<T>(steps: (file: Descriptor) => Work<T>, signal?: AbortSignal): Promise<T> {
    if (this.#closed !== undefined) throw new TypeError(`${this.path} is closed`);
    const work = drive(steps(this.#file), this.#network, signal);
    this.#work.add(work);
    try {
      return await work;
    } catch (thrown) {
      throw fromErrno(thrown, this.path);
    } finally {
      this.#work.delete(work);
    }
  }

  /** Returns the bytes of a read in one pass; null if the file is read piece by piece. */
  *content(file: Descriptor): Work<Content | null> {
    if (this.#content !== undefined) return this.#content;
    const readAt = Date.now();
    const bytes = this.#isReadWhole() ? yield* allOf(file, this.stat) : undefined;
    this.#content = bytes === undefined ? null : { bytes, readAt };
    const isSummed = bytes !== undefined && this.isLocal && this.size <= SUMMED_BYTES;
    this.#once?.onRead(isSummed ? sha256OfBytes(bytes) : undefined);
    return this.#content;
  }

  /** Returns false for a large file, and for one that is too large for a hash and whose lines are indexed. */
  #isReadWhole(): boolean {
    if (this.size <= SUMMED_BYTES) return true;
    return this.size <= READ_ONCE_BYTES && !(this.isLocal && this.#once?.isMapped(this.identity) === true);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#work);
    // A mount that no longer answers has already been reported by the read; the number is closed when it comes back.
    await drive(close(this.#file), this.#network).catch(() => {});
  }
}

/** Returns undefined if the file changed since it was opened. */
function* allOf(file: Descriptor, stat: Stat): Work<Buffer | undefined> {
  const bytes = Buffer.allocUnsafeSlow(Number(stat.size));
  const count = yield* fill(file, bytes, 0);
  return sameIdentity(yield* fstat(file), stat) ? bytes.subarray(0, count) : undefined;
}

export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: FileIdentity): FileIdentity {
  return { dev, ino, size, mtimeNs, ctimeNs };
}

export function sameIdentity(a: FileIdentity, b: FileIdentity): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}
