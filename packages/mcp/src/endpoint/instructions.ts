import { HANDLE_TOOL } from "./handle-resource.js";

// Bounds the bytes of folder names, because every token is at least one byte, so 24 bytes keep the budget of 90 tokens.
const MAX_ROOT_BYTES = 24;
const START_TOOL = "linux.proc_start";
const UNDO_TOOL = "linux.fs_undo";

interface Told {
  readonly roots: readonly string[];
  /** True if commands run in a sandbox. */
  readonly sandbox: boolean;
  /** Returns the name under which every client lists a tool; undefined for an unlisted tool. */
  readonly listed: (tool: string) => string | undefined;
}

/** Returns facts that a model cannot see and would find out by a failed call. Sent once a session. */
export function instructionsFor({ roots, sandbox, listed }: Told): string {
  const [start, undo, handle] = [listed(START_TOOL), listed(UNDO_TOOL), listed(HANDLE_TOOL)];
  const runsCommands = COMMAND_TOOLS.some((tool) => listed(tool) !== undefined);
  const parts = [`${rootsSentence(roots)} Relative paths start at the first root.`];
  if (runsCommands && sandbox) parts.push("Commands see only the roots.");
  if (runsCommands) {
    const keeps = start === undefined ? "" : ` (${start} keeps one)`;
    parts.push(`cd and export do not last; a program left in the background ends with its command${keeps}.`);
  }
  if (undo !== undefined) parts.push(`${undo} covers file tools${runsCommands ? ", not commands" : ""}.`);
  if (handle !== undefined) parts.push(`${handle} reads the handle of a cut answer.`);
  return parts.join(" ");
}

const COMMAND_TOOLS = ["te_run", "run_cmd"];

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
