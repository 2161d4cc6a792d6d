import { posix } from "node:path";
import { shownHandle } from "../../../answer/handle.js";
import { asAsked, header, onOneLine } from "../../../answer/header.js";
import { grouped } from "../../../answer/line.js";
import type { Reading } from "./reading.js";

interface RenderOptions {
  readonly encoding: "text" | "base64";
  /** Path as the caller wrote it. */
  readonly asked: string | undefined;
  readonly imageNumber?: number;
}

/** One header line, then the text as it is. An image stands beside the text, in the order of `imageNumber`. */
export function renderReading(reading: Reading, { encoding, asked, imageNumber }: RenderOptions): string {
  const { content, meta, image } = reading;
  const path = asAsked(asked, meta.path);
  if (image !== undefined) {
    return header(path, [content, ...(imageNumber === undefined ? [] : [`image ${imageNumber}`])]);
  }
  if (meta.past_end !== undefined) {
    const total = `${grouped(meta.total_lines)} ${meta.total_lines === 1 ? "line" : "lines"}`;
    return `[${onOneLine(posix.basename(meta.path))} has ${total}; offset_lines ${meta.past_end} is past the end]\n`;
  }
  const notes = encoding === "base64" ? byteNotes(reading) : lineNotes(reading);
  return `${header(path, notes)}\n${content}`;
}

function lineNotes({ content, meta, handle }: Reading): string[] {
  const total = `${meta.total_lines} ${meta.total_lines === 1 ? "line" : "lines"}`;
  const [only] = meta.total_lines === 1 ? (meta.cut_lines ?? []) : [];
  const lines =
    meta.returned_lines === undefined ? total : `${range(meta.first_line ?? 1, meta.returned_lines)} of ${total}`;
  const notes = [only === undefined ? lines : partOfOnlyLine(only, content)];
  if (meta.pages !== undefined) notes.unshift(`PDF, ${meta.pages.includes("-") ? "pages" : "page"} ${meta.pages}`);
  if (meta.encoding !== undefined) notes.push(meta.encoding);
  // A reader does not see it, and what it writes there should end so as well.
  if (content.includes("\r\n")) notes.push(/(?:^|[^\r])\n/.test(content) ? "CRLF and LF" : "CRLF");
  if (meta.replaced_chars !== undefined) notes.push(brokenNote(meta.replaced_chars));
  if (meta.cut_lines !== undefined && only === undefined) notes.push(cutNote(meta.cut_lines));
  if (meta.changed_while_read === true) notes.push("changed while it was read");
  if (meta.next_offset_lines !== undefined) notes.push(`next: offset_lines=${meta.next_offset_lines}`);
  if (handle !== null) notes.push(`all: ${shownHandle(handle)}`);
  else if (meta.truncated) notes.push("too large for a handle");
  return notes;
}

function range(first: number, count: number): string {
  if (count === 0) return "no lines";
  return count === 1 ? `line ${first}` : `lines ${first}-${first + count - 1}`;
}

function brokenNote(count: number): string {
  return `${count} ${count === 1 ? "byte is" : "bytes are"} not valid UTF-8 (shown as �)`;
}

/** Formats `1 line, shown: 2,000 of its 637,847 characters`. */
function partOfOnlyLine({ chars }: { readonly chars: number }, content: string): string {
  const left = Number(/…\[\+(\d+) chars\]\r?\n?$/.exec(content)?.[1] ?? 0);
  return `1 line, shown: ${grouped(chars - left)} of its ${grouped(chars)} characters`;
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
