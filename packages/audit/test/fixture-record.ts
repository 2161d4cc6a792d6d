import type { CallRecord, EnvelopeFacts } from "@llmc/toolkit";

const STARTED = Date.parse("2026-01-31T10:00:00.000Z");

/** A finished call; each test names what matters to it. */
export function record(given: Partial<CallRecord> = {}): CallRecord {
  return {
    tool: "linux.fs_read",
    entry: "stdio",
    correlationId: "c0ffee00",
    sessionId: "s1",
    agentId: "agent",
    model: "model",
    client: null,
    token: "local",
    status: "ok",
    startedAt: STARTED,
    durationMs: 12.5,
    args: { path: "/srv/a.txt" },
    facts: { path: "/srv/a.txt" },
    truncated: false,
    handle: null,
    error: null,
    envelope: null,
    text: () => "hello world",
    ...given,
  };
}

export function envelopeFacts(given: Partial<EnvelopeFacts> = {}): EnvelopeFacts {
  return {
    command: "git log",
    family: "git",
    mode: "enriched",
    rawTokens: 500,
    shownTokens: 100,
    truncated: true,
    handles: [],
    shorteningMs: 1.5,
    ...given,
  };
}
