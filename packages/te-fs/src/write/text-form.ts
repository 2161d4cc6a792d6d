import { constants } from "node:fs";
import { fill, type Work, withEntry, withOpen, type FileTarget } from "@llmc/te-path";
import { CHUNK, type Encoding, Sniffer } from "@llmc/patch";

interface TextForm {
  readonly encoding: Encoding["name"];
  /** Undefined for UTF-16, and if the lines end in no way or in both ways. */
  readonly lineEnds: "CRLF" | "LF" | undefined;
}

/** Bytes at the beginning of a text that are examined. */
const LOOKED_AT = CHUNK;
const NEWLINE = 10;
const RETURN = 13;

/**
 * Notes differences between the old and the new text that a writer may miss, such as `line ends changed: CRLF to LF`.
 */
export function* reformedBy(target: FileTarget, bytes: Uint8Array): Work<readonly string[]> {
  const from = formOf(yield* beginningOf(target));
  const to = formOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (from === undefined || to === undefined) return [];
  const hasOtherEnds = from.lineEnds !== undefined && to.lineEnds !== undefined && from.lineEnds !== to.lineEnds;
  return [
    ...(from.encoding === to.encoding ? [] : [`encoding changed: ${from.encoding} to ${shown(to.encoding)}`]),
    ...(hasOtherEnds ? [`line ends changed: ${from.lineEnds} to ${to.lineEnds}`] : []),
  ];
}

function shown(encoding: Encoding["name"]): string {
  return encoding === "utf-8" ? "UTF-8" : encoding;
}

/** Reads one byte more than is examined, because that byte tells that the file goes on. */
function* beginningOf(target: FileTarget): Work<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.min(Number(target.found.size), LOOKED_AT + 1));
  return yield* withEntry(target, (entry) =>
    withOpen(entry, constants.O_RDONLY, function* (file) {
      return bytes.subarray(0, yield* fill(file, bytes, 0));
    }),
  );
}

/** Returns undefined for data. */
function formOf(all: Buffer): TextForm | undefined {
  const bytes = all.subarray(0, LOOKED_AT);
  const sniffer = new Sniffer();
  sniffer.push(bytes);
  const { name: encoding, unit } = sniffer.conclude({ isCut: all.length > LOOKED_AT });
  if (unit === 2) return { encoding, lineEnds: undefined };
  return bytes.includes(0) ? undefined : { encoding, lineEnds: lineEndsOf(bytes) };
}

function lineEndsOf(bytes: Buffer): TextForm["lineEnds"] {
  let ends: TextForm["lineEnds"];
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
    const own = bytes[at - 1] === RETURN ? "CRLF" : "LF";
    if (ends !== undefined && ends !== own) return undefined;
    ends = own;
  }
  return ends;
}
