import { wireName } from "@llmc/toolkit";
import { HANDLE_TEMPLATE, HANDLE_TOOL } from "./handle-resource.js";

// Every token is at least one byte, so this many bytes of folder names cannot break the budget of 150 tokens.
const MAX_ROOT_BYTES = 60;

interface Told {
  readonly roots: readonly string[];
  /** Whether handles can be read. */
  readonly handles: boolean;
  /** Whether every client lists names with a dot. */
  readonly dotted?: boolean;
}

/** The rules that all tools share, told once in a session. */
export function instructionsFor({ roots, handles, dotted = false }: Told): string {
  const read = dotted ? HANDLE_TOOL : wireName(HANDLE_TOOL);
  const parts = [rootsSentence(roots), PATHS, ...(handles ? [handlesSentence(read)] : []), NAMES, ERRORS];
  return parts.join(" ");
}

const PATHS = "Paths are absolute, or relative to the first root.";
const NAMES = "Every tool answers to its name with _ and with a dot (linux_fs_read, linux.fs_read).";
const ERRORS = "Where an error ends with a hint, follow it.";

function handlesSentence(tool: string): string {
  return `An answer that was cut names a handle: read on with ${tool}, or as ${HANDLE_TEMPLATE}.`;
}

function rootsSentence(roots: readonly string[]): string {
  if (roots.length === 0) return "No roots are configured, so path tools refuse.";
  const shown: string[] = [];
  let bytes = 0;
  for (const root of roots) {
    const name = /^[\p{L}\p{N}/._ -]+$/u.test(root) ? root : JSON.stringify(root);
    bytes += Buffer.byteLength(name) + 2;
    if (bytes > MAX_ROOT_BYTES) break;
    shown.push(name);
  }
  if (shown.length === 0) return `Files are within ${counted(roots.length, "root")}.`;
  const more = roots.length - shown.length;
  return `Files are within ${shown.join(", ")}${more > 0 ? ` and ${counted(more, "more root")}` : ""}.`;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
