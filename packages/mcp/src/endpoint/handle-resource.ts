import type { Payload } from "@llmc/toolkit";

export const HANDLE_TEMPLATE = "linuxops://handle/{id}";
export const HANDLE_TOOL = "linux.handle_read";

const URI = /^linuxops:\/\/handle\/([A-Za-z0-9_-]{1,128})$/;
const SLICE_BYTES = 1_048_576;
/** A resource is one message: what is beyond is read slice by slice. */
const MAX_BYTES = 4 * SLICE_BYTES;

export interface ResourceContent {
  readonly uri: string;
  readonly mimeType: string;
  readonly text?: string;
  readonly blob?: string;
}

/** What `linux.handle_read` answers, as far as it is needed here. */
interface Slice {
  readonly data: string;
  readonly encoding: "utf8" | "base64";
  readonly next_offset: number | null;
  readonly total_bytes: number;
}

export interface SliceArguments {
  readonly handle: string;
  readonly offset: number;
  readonly limit: number;
}

export function handleIdOf(uri: string): string | undefined {
  return URI.exec(uri)?.[1];
}

/** Reads through the tool, so that each slice is checked against its owner, limited and recorded like any call. */
export async function readHandle(
  uri: string,
  handle: string,
  read: (args: SliceArguments) => Promise<Payload>,
  /** The tool's name as this client lists it. */
  tool: string,
): Promise<readonly ResourceContent[]> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let offset: number | null = 0;
  let total = 0;
  let text = true;
  while (offset !== null && bytes < MAX_BYTES) {
    const limit = Math.min(SLICE_BYTES, MAX_BYTES - bytes);
    const slice = (await read({ handle, offset, limit })) as unknown as Slice;
    const part = Buffer.from(slice.data, slice.encoding);
    text &&= slice.encoding === "utf8";
    parts.push(part);
    bytes += part.length;
    offset = slice.next_offset;
    total = slice.total_bytes;
    // Nothing more comes of asking again.
    if (part.length === 0) break;
  }
  return [contentOf(uri, Buffer.concat(parts), text), ...(offset === null ? [] : [cutNote(uri, bytes, total, tool)])];
}

function contentOf(uri: string, payload: Buffer, text: boolean): ResourceContent {
  return text
    ? { uri, mimeType: "text/plain", text: payload.toString("utf8") }
    : { uri, mimeType: "application/octet-stream", blob: payload.toString("base64") };
}

function cutNote(uri: string, bytes: number, total: number, tool: string): ResourceContent {
  const text = `[cut after ${bytes} of ${total} bytes; read on with ${tool}, offset=${bytes}]`;
  return { uri, mimeType: "text/plain", text };
}
