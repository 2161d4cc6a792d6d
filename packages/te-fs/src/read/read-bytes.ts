import { fill, fstat, type Descriptor, type Work } from "@llmc/te-path";
import { CHUNK, returnScratch, takeScratch } from "@llmc/patch";
import { identityOf, RegularFile, sameIdentity, type OpenFile } from "./open-file.js";
import type { LineIndexCache } from "./line-map.js";
import { scan } from "./scan.js";

export interface BytesOptions {
  readonly offset: number;
  /** At most; the caller bounds it. */
  readonly length: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CountOptions {
  readonly lineIndex?: LineIndexCache | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Fewer bytes than asked for only at the end of the file. */
export function readBytes(file: OpenFile, { offset, length, signal }: BytesOptions): Promise<Buffer> {
  return RegularFile.of(file).use((descriptor) => bytesOf(descriptor, offset, length), signal);
}

/** How many lines the file has, binary or not. */
export function countLines(file: OpenFile, { lineIndex, signal }: CountOptions = {}): Promise<number> {
  const regular = RegularFile.of(file);
  return regular.use((descriptor) => linesOf(descriptor, regular.isLocal ? lineIndex : undefined), signal);
}

function* bytesOf(file: Descriptor, offset: number, length: number): Work<Buffer> {
  const { size } = yield* fstat(file);
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, Number(size) - offset)));
  let at = 0;
  while (at < bytes.length) {
    const count = yield* fill(file, bytes.subarray(at, at + CHUNK), offset + at);
    if (count === 0) break;
    at += count;
  }
  return bytes.subarray(0, at);
}

function* linesOf(file: Descriptor, index: LineIndexCache | undefined): Work<number> {
  const readAt = Date.now();
  const identity = identityOf(yield* fstat(file));
  const known = index?.get(identity);
  if (known !== undefined) return known.lines;
  const scratch = takeScratch();
  try {
    const map = yield* scan(file, { size: Number(identity.size), scratch });
    if (sameIdentity(identity, identityOf(yield* fstat(file)))) index?.set(identity, map, readAt);
    return map.lines;
  } finally {
    returnScratch(scratch);
  }
}
