import { isUtf8 } from "node:buffer";
import type { OpsError } from "@llmc/errors";
import { RPC } from "../protocol/protocol-error.js";
import { BrokenFrameRefusal } from "../protocol/refusal.js";

export interface Broken {
  readonly rpcCode: number;
  readonly error: OpsError;
  readonly id: string | number | null;
}

export interface Incoming<Message> {
  readonly messages: readonly Message[];
  readonly broken: readonly Broken[];
  readonly batch: boolean;
}

/** The bound that the SDK sets over HTTP. */
const MAX_BATCH = 100;
const NOTHING = { messages: [], broken: [], batch: false };

/** Reads one line; what is wrong with it is told to the sender, and never ends the server. */
export function readLine<Message>(line: Buffer, isMessage: (value: unknown) => value is Message): Incoming<Message> {
  // Replacement characters would silently change what a tool writes.
  if (!isUtf8(line)) return refused(RPC.parseError, "it is not UTF-8");
  const text = line.toString("utf8");
  if (text.trim() === "") return NOTHING;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return refused(RPC.parseError, (thrown as Error).message.slice(0, 200));
  }
  if (!Array.isArray(value)) return sorted([value], false, isMessage);
  if (value.length === 0) return refused(RPC.invalidRequest, "the batch is empty");
  if (value.length > MAX_BATCH) return refused(RPC.invalidRequest, `the batch has more than ${MAX_BATCH} messages`);
  return sorted(value, true, isMessage);
}

function sorted<Message>(
  values: readonly unknown[],
  batch: boolean,
  isMessage: (value: unknown) => value is Message,
): Incoming<Message> {
  const messages: Message[] = [];
  const broken: Broken[] = [];
  for (const value of values) {
    if (isMessage(value)) messages.push(value);
    else broken.push(problem(RPC.invalidRequest, 'it needs jsonrpc "2.0" and a method, a result or an error', value));
  }
  return { messages, broken, batch };
}

function refused(rpcCode: number, reason: string): Incoming<never> {
  return { ...NOTHING, broken: [problem(rpcCode, reason)] };
}

function problem(rpcCode: number, reason: string, value?: unknown): Broken {
  return { rpcCode, error: new BrokenFrameRefusal(reason), id: idOf(value) };
}

function idOf(value: unknown): string | number | null {
  const id = typeof value === "object" && value !== null ? (value as { id?: unknown }).id : undefined;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}
