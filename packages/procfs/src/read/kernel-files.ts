import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";

/** Why there is nothing to read: no such file (any more), or it is not ours to read. */
export type Missing = "absent" | "closed";

const ABSENT = new Set(["ENOENT", "ESRCH", "ENOTDIR", "EINVAL", "ENXIO", "EOPNOTSUPP", "EIO"]);
const CLOSED = new Set(["EACCES", "EPERM"]);
const FIRST_BYTES = 64 * 1024;
/** /proc/net/tcp of a busy machine; nothing that is read here is larger by right. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Files that the kernel makes up while they are read. Always synchronous: nothing here waits for a disk, and a trip
 * through the thread pool would cost 4 to 26 times as much.
 */
export class KernelFiles {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);

  /** The bytes stay valid until the next call. Undefined where there is nothing to read. */
  bytes(path: string): Buffer | undefined {
    const found = this.#read(path);
    return typeof found === "number" ? this.#buffer.subarray(0, found) : undefined;
  }

  /** The same as text, one character a byte where it is no UTF-8. */
  text(path: string): string | undefined {
    return this.bytes(path)?.toString("utf8");
  }

  /** The text, or why there is none. */
  look(path: string): { readonly text: string } | { readonly missing: Missing } {
    const found = this.#read(path);
    return typeof found === "number" ? { text: this.#buffer.toString("utf8", 0, found) } : { missing: found };
  }

  /**
   * Returns `length` bytes from an offset on, such as an address in process memory; undefined if not all can be read.
   */
  piece(path: string, from: number, length: number): Buffer | undefined {
    return orUndefined(() => {
      const file = openSync(path, "r");
      try {
        const bytes = Buffer.alloc(length);
        return readSync(file, bytes, 0, length, from) === length ? bytes : undefined;
      } finally {
        closeSync(file);
      }
    });
  }

  names(path: string): readonly string[] | undefined {
    return orUndefined(() => readdirSync(path));
  }

  link(path: string): string | undefined {
    return orUndefined(() => readlinkSync(path));
  }

  #read(path: string): number | Missing {
    let file: number | undefined;
    try {
      file = openSync(path, "r");
      let length = 0;
      for (;;) {
        if (length === this.#buffer.length) this.#grow();
        const got = readSync(file, this.#buffer, length, this.#buffer.length - length, null);
        if (got === 0 || length + got >= MAX_BYTES) return length + got;
        length += got;
      }
    } catch (thrown) {
      return missing(thrown);
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  #grow(): void {
    const grown = Buffer.allocUnsafeSlow(2 * this.#buffer.length);
    this.#buffer.copy(grown);
    this.#buffer = grown;
  }
}

function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    missing(thrown);
    return undefined;
  }
}

function missing(thrown: unknown): Missing {
  const { code = "" } = thrown as NodeJS.ErrnoException;
  if (ABSENT.has(code)) return "absent";
  if (CLOSED.has(code)) return "closed";
  throw thrown;
}
