import { HANDLE_TEMPLATE } from "./handle-resource.js";

// Every token is at least one byte, so this many bytes of folder names cannot break the budget of 150 tokens.
const MAX_ROOT_BYTES = 60;

/** The rules that all tools share, told once in a session. */
export function instructionsFor({ roots, handles }: { roots: readonly string[]; handles: boolean }): string {
  const parts = [rootsSentence(roots), PATHS, ...(handles ? [HANDLES] : []), NAMES, ERRORS];
  return parts.join(" ");
}

const PATHS = "Paths are absolute, or relative to the first root.";
const HANDLES = `A long answer ends with a handle: read on with linux_handle_read or ${HANDLE_TEMPLATE}.`;
const NAMES = "Tool names work with _ and with a dot.";
const ERRORS = "Errors end with a hint; follow it.";

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
  if (shown.length === 0) return `Files are within ${roots.length} roots.`;
  const more = roots.length - shown.length;
  return `Files are within ${shown.join(", ")}${more > 0 ? ` and ${more} more roots` : ""}.`;
}
