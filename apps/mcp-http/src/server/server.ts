import { createServer as createHttp, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createHttps } from "node:https";
import type { Duplex } from "node:stream";
import { STATUS_CODES } from "node:http";
import { correlationIdFrom } from "@llmc/toolkit";
import { envelopeOf } from "../answer/envelope.js";
import { HeadersTooLargeRefusal, MalformedRefusal, SlowRequestRefusal, type Refusal } from "../answer/refusal.js";

export interface ServerLimits {
  readonly maxHeaderBytes: number;
  /** How long the headers may take, and how long the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  readonly maxConnections: number;
}

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** A Node server that gives nobody unlimited time, headers or connections, and refuses in our own words. */
export function createBoundedServer(listener: RequestListener, limits: ServerLimits, tls: TlsFiles | null): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    // Ours to check: Node would answer without the envelope.
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
  const server = tls === null ? createHttp(options, listener) : createHttps({ ...options, ...tls }, listener);
  server.maxConnections = limits.maxConnections;
  // Without this Node tells every client to send its body, before anybody looked at the headers.
  server.on("checkContinue", listener);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuseRaw(error, socket, limits.maxHeaderBytes));
  return server;
}

const LINGER_MS = 500;

/** What Node's parser rejects has no request yet: the answer is written by hand. */
function refuseRaw(error: NodeJS.ErrnoException, socket: Duplex, maxHeaderBytes: number): void {
  const unanswerable = error.code === "ECONNRESET" || !socket.writable || answered(socket);
  if (unanswerable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = envelopeOf(refusalOf(error, maxHeaderBytes), correlationIdFrom());
  const lines = Object.entries({ ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" });
  socket.end(
    [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`), "", body].join(
      "\r\n",
    ),
  );
  // What is still coming is read away for a moment: a reset would take the answer with it.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function refusalOf({ code, message }: NodeJS.ErrnoException, maxHeaderBytes: number): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") return new HeadersTooLargeRefusal(maxHeaderBytes);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new SlowRequestRefusal();
  return new MalformedRefusal(message.replace(/^Parse Error: /, ""));
}

/** A second answer on a connection that already carries one would be read as part of it. */
function answered(socket: Duplex): boolean {
  return (socket as Duplex & { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent === true;
}
