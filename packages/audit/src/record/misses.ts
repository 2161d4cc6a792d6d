import { createHash } from "node:crypto";
import type { CallRecord } from "@llmc/toolkit";
import type { TeRow } from "./te-row.js";

/** Tells which earlier row was not enough for its reader. */
export type Miss =
  | { readonly missed: "handle_read"; readonly handle: string }
  | ({ readonly missed: "rerun" } & Pick<TeRow, "session" | "command">);

export interface Misses {
  /** Takes every finished call, in order; `row` is the call's own row of telemetry. */
  after(record: CallRecord, row: TeRow | null): Miss | null;
}

/** Calls of a session within which the same command counts as run again. */
const CALLS = 5;
const SESSIONS = 1_000;

export function createMisses(): Misses {
  /** For each session a digest of its last commands, or null for a call of another tool. */
  const sessions = new Map<string, (string | null)[]>();

  function lastOf(session: string): (string | null)[] {
    const last = sessions.get(session) ?? [];
    sessions.delete(session);
    sessions.set(session, last);
    const [oldest] = sessions.keys();
    if (sessions.size > SESSIONS && oldest !== undefined) sessions.delete(oldest);
    return last;
  }

  function after(record: CallRecord, row: TeRow | null): Miss | null {
    const last = lastOf(record.sessionId);
    const command = digestOf(record);
    const isRerun = command !== null && last.includes(command);
    last.push(command);
    if (last.length > CALLS) last.shift();
    if (row !== null) return isRerun ? { missed: "rerun", session: row.session, command: row.command } : null;
    const { handle } = record.facts;
    // Only a tool that reads handles has one among its facts.
    const isRead = record.status === "ok" && typeof handle === "string";
    return isRead ? { missed: "handle_read", handle } : null;
  }

  return { after };
}

/** Includes the folder, because the same command does other work in another folder. */
function digestOf({ envelope, facts }: CallRecord): string | null {
  if (envelope === null) return null;
  const text = JSON.stringify([envelope.command, facts["cwd"] ?? null]);
  return createHash("sha256").update(text).digest("base64");
}
