import type { CallRecord, EnvelopeFacts } from "@llmc/toolkit";
import { cut, escapeControls } from "../text/escape.js";
import type { Mask } from "../text/mask.js";
import { clientCap } from "./client-caps.js";

/** Why a short form was not enough: its handle was read, or the session ran the same command again soon. */
export type Missed = "handle_read" | "rerun";

/** An output that the envelope told, as it is kept: the command bounded and masked, nothing of the output but its size. */
export interface TeRow {
  readonly timestamp: string;
  readonly agent: string;
  readonly session: string;
  readonly model: string;
  readonly client: string | null;
  readonly tool: string;
  readonly family: string;
  readonly command: string;
  readonly mode: EnvelopeFacts["mode"];
  readonly rawTokens: number;
  readonly shownTokens: number;
  /** Tokens that the client would have shown at most; null where that is not known. */
  readonly clientCapTokens: number | null;
  readonly truncated: boolean;
  /** Handle of stdout, or of stderr if only stderr was shortened. */
  readonly handle: string | null;
  /** Handle of stderr, if both streams were shortened. */
  readonly stderrHandle: string | null;
  readonly latencyMs: number;
  readonly shorteningMs: number;
  readonly engineVersion: string;
  readonly missed: Missed | null;
}

const NAME_LENGTH = 120;
const COMMAND_LENGTH = 1_000;

export function teRowOf(record: CallRecord, facts: EnvelopeFacts, { mask, version }: { mask: Mask; version: string }) {
  const bounded = (text: string, length: number) => escapeControls(cut(mask.text(cut(text, 4 * length)), length));
  const name = (text: string) => bounded(text, NAME_LENGTH);
  const [handle = null, stderrHandle = null] = facts.handles;
  const row: TeRow = {
    timestamp: new Date(record.startedAt).toISOString(),
    agent: name(record.agentId),
    session: name(record.sessionId),
    model: name(record.model),
    client: record.client === null ? null : name(record.client),
    tool: record.tool,
    family: name(facts.family),
    command: bounded(facts.command, COMMAND_LENGTH),
    mode: facts.mode,
    rawTokens: facts.rawTokens,
    shownTokens: facts.shownTokens,
    clientCapTokens: clientCap(record.client),
    truncated: facts.truncated,
    handle,
    stderrHandle,
    latencyMs: rounded(record.durationMs),
    shorteningMs: rounded(facts.shorteningMs),
    engineVersion: version,
    missed: null,
  };
  return row;
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
