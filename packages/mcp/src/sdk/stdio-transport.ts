import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  isJSONRPCNotification,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type JSONRPCNotification,
} from "@modelcontextprotocol/sdk/types.js";
import type { OpsError } from "@llmc/errors";
import { correlationIdFrom } from "@llmc/toolkit";
import { ProtocolError, RPC } from "../protocol/protocol-error.js";
import { LineTooLongRefusal } from "../protocol/refusal.js";
import { createBatches } from "../stdio/batches.js";
import type { Frame } from "../stdio/frames.js";
import { readLine } from "../stdio/incoming.js";
import type { Writer } from "../stdio/writer.js";

export interface LineTransport extends Transport {
  /** Gives one line of stdin to the server. */
  receive(frame: Frame): void;
}

/** What stands between lines and the SDK: its own transport ends at a long line and leaves broken ones unanswered. */
export function createLineTransport(writer: Writer, maxLineBytes: number): LineTransport {
  const batches = createBatches((answers) => void writer.write(answers));

  function refuse(rpcCode: number, error: OpsError, id: string | number | null = null): void {
    const { code, message, data } = new ProtocolError(rpcCode, error, correlationIdFrom());
    void writer.write({ jsonrpc: "2.0", id, error: { code, message, data } });
  }

  const transport: LineTransport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    send: async (message) => {
      if (!batches.take(message)) await writer.write(message);
    },
    receive(frame) {
      if ("id" in frame) return refuse(RPC.invalidRequest, new LineTooLongRefusal(maxLineBytes), frame.id);
      const { messages, broken, batch } = readLine(frame, isMessage);
      for (const { rpcCode, error, id } of broken) refuse(rpcCode, error, id);
      if (batch) batches.add(messages);
      for (const message of messages) {
        if (isCancelledNotification(message)) batches.cancelled(message.params?.["requestId"]);
        transport.onmessage?.(message);
      }
    },
  };
  return transport;
}

const isMessage = (value: unknown): value is JSONRPCMessage => JSONRPCMessageSchema.safeParse(value).success;

const isCancelledNotification = (message: JSONRPCMessage): message is JSONRPCNotification =>
  "method" in message && message.method === "notifications/cancelled" && isJSONRPCNotification(message);
