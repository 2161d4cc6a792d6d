import { fromErrno, drive, type Network, close, type Descriptor, type Stat, type Work } from "@llmc/te-path";
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
}

export class RegularFile implements OpenFile {
  readonly path: string;
  readonly real: string;
  readonly identity: FileIdentity;
  readonly size: number;
  readonly realBytes: Bytes;
  readonly stat: Stat;
  readonly #file: Descriptor;
  readonly #network: Network;
  readonly #work = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor({ path, real, file, stat, network }: RegularFileFacts) {
    this.path = path;
    this.real = displayPath(real);
    this.realBytes = real;
    this.stat = stat;
    this.identity = identityOf(stat);
    this.size = Number(stat.size);
    this.#file = file;
    this.#network = network;
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

export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: FileIdentity): FileIdentity {
  return { dev, ino, size, mtimeNs, ctimeNs };
}

export function sameIdentity(a: FileIdentity, b: FileIdentity): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}
