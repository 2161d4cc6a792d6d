import type { IncomingMessage, ServerResponse } from "node:http";
import { CancelledError } from "@llmc/errors";
import {
  BodyTooLargeRefusal,
  BrokenJsonRefusal,
  ContentEncodingRefusal,
  ContentTypeRefusal,
} from "../answer/refusal.js";

/** What the headers say about a body, judged before a byte of it is read. */
export function checkBodyHeaders({ headers }: IncomingMessage, limit: number): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") throw new ContentEncodingRefusal(encoding);
  const type = headers["content-type"];
  if (type === undefined || !/^application\/json\s*(?:;|$)/i.test(type)) throw new ContentTypeRefusal(type);
  if (Number(headers["content-length"] ?? 0) > limit) throw new BodyTooLargeRefusal(limit);
}

/** The body as text. It is counted while it arrives: a chunked one announces no length. */
export async function readBody(request: Request, limit: number, node: Connection): Promise<string> {
  allowBody(node);
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((): never => {
      throw new CancelledError("The request, whose body never came whole,");
    });
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      void reader.cancel().catch(() => {});
      throw new BodyTooLargeRefusal(limit);
    }
    chunks.push(value);
  }
  return decode(Buffer.concat(chunks, size));
}

export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** A client that asked first (`Expect: 100-continue`) is let go only now that nothing speaks against its request. */
function allowBody({ incoming, outgoing }: Connection): void {
  if (/^100-continue$/i.test(incoming.headers.expect ?? "")) outgoing.writeContinue();
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BrokenJsonRefusal("it is not UTF-8");
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    throw new BrokenJsonRefusal((thrown as Error).message.slice(0, 200));
  }
}
