import { fill, fstat, type Descriptor, type Work } from "@llmc/te-path";
import { CHUNK, returnScratch, takeScratch } from "@llmc/patch";
import { identityOf, RegularFile, sameIdentity, type OpenFile } from "./open-file.js";
import type { LineIndexCache } from "./line-map.js";
import { fetchFrom, scan } from "./scan.js";

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
  const regular = RegularFile.of(file);
  return regular.use((descriptor) => bytesOf(regular, descriptor, offset, length), signal);
}

/** How many lines the file has, binary or not. */
export function countLines(file: OpenFile, { lineIndex, signal }: CountOptions = {}): Promise<number> {
  const regular = RegularFile.of(file);
  return regular.use((descriptor) => linesOf(regular, descriptor, lineIndex), signal);
}

function* bytesOf(regular: RegularFile, file: Descriptor, offset: number, length: number): Work<Buffer> {
  const content = yield* regular.content(file);
  if (content !== null) return content.bytes.subarray(offset, offset + length);
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

function* linesOf(regular: RegularFile, file: Descriptor, lineIndex: LineIndexCache | undefined): Work<number> {
  const { bytes = null, readAt = Date.now() } = (yield* regular.content(file)) ?? {};
  const identity = bytes === null ? identityOf(yield* fstat(file)) : regular.identity;
  const index = regular.isLocal ? lineIndex : undefined;
  const known = index?.get(identity);
  if (known !== undefined) return known.lines;
  const scratch = takeScratch();
  try {
    const map = yield* scan(fetchFrom(file, bytes, scratch), { size: Number(identity.size), scratch });
    if (bytes !== null || sameIdentity(identity, identityOf(yield* fstat(file)))) index?.set(identity, map, readAt);
    return map.lines;
  } finally {
    returnScratch(scratch);
  }
}
