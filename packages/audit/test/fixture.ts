import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallRecord } from "@llmc/toolkit";
import { onTestFinished } from "vitest";
import type { Logger } from "../src/log.js";

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "llmc-audit-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export const STARTED = Date.parse("2026-01-31T10:00:00.000Z");

/** A finished call; each test names what matters to it. */
export function record(given: Partial<CallRecord> = {}): CallRecord {
  return {
    tool: "linux.fs_read",
    entry: "stdio",
    correlationId: "c0ffee00",
    sessionId: "s1",
    agentId: "agent",
    model: "model",
    token: "local",
    status: "ok",
    startedAt: STARTED,
    durationMs: 12.5,
    args: { path: "/srv/a.txt" },
    facts: { path: "/srv/a.txt" },
    truncated: false,
    handle: null,
    error: null,
    text: () => "hello world",
    ...given,
  };
}

export interface Line {
  readonly level: string;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** A logger that keeps what it is given. */
export function memoryLog(): Logger & { readonly lines: Line[] } {
  const lines: Line[] = [];
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, message });
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), flush: () => {} };
}
