import { fstat, type Work, type Descriptor, hashOf } from "@llmc/te-path";
import { sameIdentity, type RegularFile } from "../read/open-file.js";
import type { ReadMarks } from "./read-marks.js";

/** Of larger files only the state is remembered: their sum would cost as much as the read itself. */
const SUMMED_BYTES = 256 * 1024;

/** The session reads the file: it knows it again by its content as well, where that costs next to nothing. */
export async function sawFile(marks: ReadMarks, session: string, file: RegularFile): Promise<void> {
  const { realBytes, stat, size, isLocal } = file;
  const isSummed = isLocal && size <= SUMMED_BYTES;
  const sha256 = isSummed ? await file.use((opened) => sumOf(opened, file)) : undefined;
  marks.saw(session, realBytes, stat, sha256);
}

/** Undefined where it is another state by now than the one that was opened. */
function* sumOf(opened: Descriptor, { size, stat }: RegularFile): Work<string | undefined> {
  const hash = yield* hashOf(opened, size);
  return sameIdentity(yield* fstat(opened), stat) ? hash.digest("hex") : undefined;
}
