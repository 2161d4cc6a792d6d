import { put, type Descriptor, type Work } from "../kernel/syscalls.js";

/** Runs of zeros of this length become holes again. */
const PIECE = 4096;
const ZEROS = Buffer.alloc(PIECE);

/** Writes all but the zeros; what ends with them still needs its size. */
export function* putSparse(target: Descriptor, bytes: Uint8Array, position: number): Work<void> {
  let start = -1;
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE);
    const isZero = ZEROS.subarray(0, piece.length).equals(piece);
    if (isZero && start !== -1) yield* put(target, bytes.subarray(start, at), position + start);
    if (isZero) start = -1;
    else if (start === -1) start = at;
  }
  if (start !== -1) yield* put(target, bytes.subarray(start), position + start);
}
