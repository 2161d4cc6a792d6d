import type { CallRecord } from "@llmc/toolkit";
import { cut, escapeControls } from "../text/escape.js";
import type { Bounds, Mask } from "../text/mask.js";

/** A call as it is kept: bounded, masked, nothing of the result but its size. */
export interface CallRow {
  readonly timestamp: string;
  readonly correlationId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly model: string;
  readonly entry: string;
  readonly tool: string;
  readonly status: string;
  readonly durationMs: number;
  readonly args: string;
  /** JSON. */
  readonly facts: string;
  readonly truncated: boolean;
  readonly handle: string | null;
  readonly bytesOut: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** What is measured off the call's path, because it needs the whole text. */
export interface Sizes {
  readonly bytesOut: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Stands for every name that is no tool's: a caller could otherwise make as many series and groups as he likes. */
export const UNKNOWN_TOOL = "unknown";

const ARGUMENTS: Bounds = { depth: 4, members: 20, stringLength: 120, hideContents: true };
const FACTS: Bounds = { depth: 3, members: 30, stringLength: 500, hideContents: true };
const ARGUMENTS_LENGTH = 500;
const FACTS_LENGTH = 2_000;
const NAME_LENGTH = 120;

export function toolOf(record: CallRecord): string {
  return record.error?.details?.["unknown_tool"] === undefined ? record.tool : UNKNOWN_TOOL;
}

export function factsOf(record: CallRecord, mask: Mask): Readonly<Record<string, unknown>> {
  const facts = mask.value(record.facts, FACTS) as Record<string, unknown>;
  return toolOf(record) === record.tool ? facts : { name: mask.text(cut(record.tool, NAME_LENGTH)), ...facts };
}

export function rowOf(record: CallRecord, sizes: Sizes, mask: Mask): CallRow {
  const name = (text: string) => escapeControls(mask.text(cut(text, NAME_LENGTH)));
  return {
    timestamp: new Date(record.startedAt).toISOString(),
    correlationId: name(record.correlationId),
    sessionId: name(record.sessionId),
    agentId: name(record.agentId),
    model: name(record.model),
    entry: record.entry,
    tool: toolOf(record),
    status: record.status,
    durationMs: Math.round(record.durationMs * 1000) / 1000,
    args: summaryOf(record.args, mask),
    facts: factsJson(factsOf(record, mask)),
    truncated: record.truncated,
    handle: record.handle === null ? null : name(record.handle),
    ...sizes,
  };
}

export function summaryOf(args: unknown, mask: Mask): string {
  const text = escapeControls(JSON.stringify(mask.value(args, ARGUMENTS)) ?? "");
  return text.length <= ARGUMENTS_LENGTH ? text : `${cut(text, ARGUMENTS_LENGTH - 1)}…`;
}

/** Always whole JSON: facts that do not fit any more are left out, the first ones stay. */
function factsJson(facts: Readonly<Record<string, unknown>>): string {
  const members: string[] = [];
  let length = 2;
  for (const [key, value] of Object.entries(facts)) {
    const member = escapeControls(`${JSON.stringify(key)}:${JSON.stringify(value) ?? "null"}`);
    length += member.length + 1;
    if (length > FACTS_LENGTH) break;
    members.push(member);
  }
  return `{${members.join(",")}}`;
}
