import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Logger } from "../src/log/log.js";

export { envelopeFacts, record } from "./fixture-record.js";

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "llmc-audit-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
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
