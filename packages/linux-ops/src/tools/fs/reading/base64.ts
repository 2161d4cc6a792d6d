import { countLines, readBytes } from "@llmc/te-fs";
import { sessionKey } from "@llmc/toolkit";
import type { LinuxOpsContext } from "../../../context/context.js";
import type { Reading } from "./reading.js";

/** Counting the lines of a larger file is no part of reading some of its bytes. */
const MAX_COUNTED = 64 * 1024 * 1024;

/** Bytes of any file, binary or not; `next_offset_bytes` followed to null gives the file byte for byte. */
export async function readBase64(
  path: string,
  { offset, length }: { offset: number; length: number },
  context: LinuxOpsContext,
): Promise<Reading> {
  const { files, lineIndex, signal } = context;
  await using file = await files.read(path, { session: sessionKey(context), lineIndex, signal });
  const data = await readBytes(file, { offset, length, signal: context.signal });
  const end = offset + data.length;
  const next = end < file.size && data.length > 0 ? end : null;
  return {
    content: data.toString("base64"),
    handle: null,
    meta: {
      path: file.path,
      total_lines:
        file.size > MAX_COUNTED ? 0 : await countLines(file, { lineIndex: context.lineIndex, signal: context.signal }),
      truncated: next !== null,
      encoding: "base64",
      total_bytes: file.size,
      next_offset_bytes: next,
    },
  };
}
