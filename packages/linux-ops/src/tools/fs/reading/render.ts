import { header } from "../../../answer/header.js";
import type { Reading } from "./reading.js";

/** One header line, then the text as it is. An image stands beside the text, in the order of `imageNumber`. */
export function renderReading(reading: Reading, encoding: "text" | "base64", imageNumber?: number): string {
  const { content, meta, image } = reading;
  if (image !== undefined) {
    return header(meta.path, [content, ...(imageNumber === undefined ? [] : [`image ${imageNumber}`])]);
  }
  const notes = encoding === "base64" ? byteNotes(reading) : lineNotes(reading);
  return `${header(meta.path, notes)}\n${content}`;
}

function lineNotes({ content, meta, handle }: Reading): string[] {
  const total = `${meta.total_lines} ${meta.total_lines === 1 ? "line" : "lines"}`;
  const notes = [
    meta.returned_lines === undefined ? total : `${range(meta.first_line ?? 1, meta.returned_lines)} of ${total}`,
  ];
  if (meta.pages !== undefined) notes.unshift(`PDF, page ${meta.pages}`);
  if (meta.encoding !== undefined) notes.push(meta.encoding);
  // A reader does not see it, and what it writes there should end so as well.
  if (content.includes("\r\n")) notes.push(/(?:^|[^\r])\n/.test(content) ? "CRLF and LF" : "CRLF");
  if (meta.replaced_chars !== undefined) notes.push(`${meta.replaced_chars} bytes are no UTF-8, shown as U+FFFD`);
  if (meta.cut_lines !== undefined) notes.push(cutNote(meta.cut_lines));
  if (meta.changed_while_read === true) notes.push("changed while it was read");
  if (meta.next_offset_lines !== undefined) notes.push(`next: offset_lines=${meta.next_offset_lines}`);
  if (handle !== null) notes.push(`all: ${handle}`);
  else if (meta.truncated)
    notes.push(meta.cut_lines === undefined ? TOO_LARGE : `${TOO_LARGE}, encoding=base64 has all`);
  return notes;
}

const TOO_LARGE = "too large for a handle";

function range(first: number, count: number): string {
  if (count === 0) return "no lines";
  return count === 1 ? `line ${first}` : `lines ${first}-${first + count - 1}`;
}

function cutNote(cut: readonly { line: number }[]): string {
  const shown = cut.slice(0, 5).map(({ line }) => line);
  const more = cut.length - shown.length;
  return `cut: line ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function byteNotes({ meta, content }: Reading): string[] {
  const bytes = Math.floor((content.length * 3) / 4) - (content.endsWith("==") ? 2 : content.endsWith("=") ? 1 : 0);
  const notes = [`${bytes} of ${meta.total_bytes ?? 0} bytes, base64`];
  if (typeof meta.next_offset_bytes === "number") notes.push(`next: offset_bytes=${meta.next_offset_bytes}`);
  return notes;
}
