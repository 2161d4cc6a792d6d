import { parse } from "smol-toml";
import type { Key } from "../keys/keys.js";

/** Reads a value that was written outside a TOML file: as TOML, else as plain text; a list also as `a,b`. */
export function readWritten(key: Key, written: string): unknown {
  const value = asToml(written);
  if (key.kind === "list") return Array.isArray(value) ? value : listOf(value, written);
  if (key.kind === "text") return typeof value === "string" ? value : written;
  return value ?? written;
}

function listOf(value: unknown, written: string): string[] {
  if (typeof value === "string") return [value];
  return written.trim() === "" ? [] : written.split(",").map((part) => part.trim());
}

function asToml(written: string): unknown {
  try {
    const { value, ...more } = parse(`value = ${written}`);
    // A newline in the value may open a second statement; then it is text, not TOML.
    return Object.keys(more).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}
