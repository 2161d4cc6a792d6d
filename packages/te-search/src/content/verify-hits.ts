import { verifyLines } from "../walk/verify-lines.js";
import { OpsError } from "@llmc/errors";
import { readSlice, type Files } from "@llmc/te-fs";
import { displayBelow } from "@llmc/names";
import type { ClaimedFile } from "../walk/verify-lines.js";
import type { Bytes } from "@llmc/names";
import type { SearchRoot } from "../search-root/search-root.js";
import type { SeenLine } from "./make-hit.js";

export interface ClaimedLines {
  readonly way: Bytes;
  readonly lines: readonly SeenLine[];
}

export interface Looking {
  readonly files: Pick<Files, "scope" | "open">;
  readonly searchRoot: SearchRoot;
  readonly signal: AbortSignal | undefined;
}

const NEWLINE = Buffer.of(0x0a);
const UTF_8 = Buffer.of(0xef, 0xbb, 0xbf);
const UTF_16 = [Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff)];
const MARKS = [UTF_8, ...UTF_16].map((bytes) => ({ offset: 0, bytes }));
/** Of a UTF-16 file so much is read again. */
const SLICE = { maxLines: 100_000, maxLineChars: 1_000_000, maxBytes: 8 * 1024 * 1024, keepWholeUpTo: 0 };

/** Which lines stand where an engine has seen them, looked at by our own way to the file. */
export async function whichVerified(looking: Looking, claimed: readonly ClaimedLines[]): Promise<boolean[][]> {
  const { files, searchRoot, signal } = looking;
  const verified = await verifyLines(files.scope, searchRoot, claimed.map(claim), { signal });
  const doubtful = [...verified.entries()].filter(([, lines]) => lines.includes(false)).map(([nth]) => nth);
  if (doubtful.length === 0) return verified;
  // An engine that skips a byte order mark counts from behind it.
  const marked = doubtful.map((nth) => withMarks(claimed[nth] as ClaimedLines));
  const again = await verifyLines(files.scope, searchRoot, marked, { signal });
  for (const [at, nth] of doubtful.entries()) {
    const [utf8 = false, little = false, big = false, ...lines] = again[at] ?? [];
    if (utf8) verified[nth] = lines;
    else if (little || big) verified[nth] = await sixteen(looking, claimed[nth] as ClaimedLines);
  }
  return verified;
}

function claim({ way, lines }: ClaimedLines): ClaimedFile {
  return { way, lines: lines.map((seen) => ({ offset: seen.offset, bytes: inBytes(seen) })) };
}

function withMarks({ way, lines }: ClaimedLines): ClaimedFile {
  const behind = lines.map((seen) => ({ offset: seen.offset + UTF_8.length, bytes: inBytes(seen) }));
  return { way, lines: [...MARKS, ...behind] };
}

/** Offsets say nothing about a UTF-16 file that was searched as UTF-8: its lines are compared by their numbers. */
async function sixteen({ files, searchRoot, signal }: Looking, { way, lines }: ClaimedLines): Promise<boolean[]> {
  const first = Math.min(...lines.map(({ line }) => line));
  try {
    await using file = await files.open(way === "" ? searchRoot.path : displayBelow(searchRoot.path, [way]), {
      ...(signal && { signal }),
    });
    const { content } = await readSlice(file, { ...SLICE, offsetLines: first - 1, signal });
    const there = content.split("\n");
    return lines.map((claimed) => {
      const seen = inBytes(claimed).toString("utf8").split("\n");
      if (seen.at(-1) === "") seen.pop();
      return seen.every((text, index) => there[claimed.line - first + index] === text);
    });
  } catch (thrown) {
    if (signal?.aborted === true || !OpsError.is(thrown)) throw thrown;
    return lines.map(() => false);
  }
}

/** Of an empty line its end is looked at: that nothing verified there is no sign of anything. */
function inBytes({ bytes, isEnded }: SeenLine): Buffer {
  if (bytes.length === 0) return NEWLINE;
  if (typeof bytes !== "string") return bytes;
  return Buffer.from(isEnded === true ? `${bytes}\n` : bytes);
}
