import { findKey, valueOf, type Key } from "../keys/keys.js";
import type { McpConfig } from "../schema/mcp.js";
import type { Fault } from "./impossible.js";

const LIMITS = "mcp.linux_ops.process_limits";
const LONGEST = `${LIMITS}.max_timeout_sec`;

/** Keys with the keys that bound them. */
const BOUNDS: readonly (readonly [key: string, bound: string])[] = [
  [`${LIMITS}.default_timeout_sec`, LONGEST],
  ["mcp.tools.exec_timeout", LONGEST],
  ["mcp.te.timeout", LONGEST],
  [`${LIMITS}.max_procs_per_session`, `${LIMITS}.max_procs_total`],
  ["mcp.handles.max_payload_bytes", "mcp.handles.max_total_bytes"],
];

/** Default that was moved to agree with a written value. */
export interface Moved {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** Key whose value the default took over. */
  readonly because: string;
}

/**
 * Moves defaults that a written value contradicts, so that only two written values can contradict each other. `isWritten`
 * tells whether the operator wrote a key.
 */
export function keepBounds(
  mcp: McpConfig,
  isWritten: (name: string) => boolean,
): { readonly moved: readonly Moved[]; readonly broken: readonly Fault[] } {
  const moved: Moved[] = [];
  const broken: Fault[] = [];
  for (const [name, boundName] of BOUNDS) {
    const [key, bound] = [findKey(name.split(".")) as Key, findKey(boundName.split(".")) as Key];
    const [value, most] = [valueOf(mcp, key) as number, valueOf(mcp, bound) as number];
    if (value <= most) continue;
    if (!isWritten(name)) moved.push(move(mcp, key, most, boundName));
    else if (!isWritten(boundName)) moved.push(move(mcp, bound, value, name));
    else broken.push({ keys: [name, boundName], problem: `is ${value}, more than ${boundName} (${most})` });
  }
  return { moved, broken };
}

function move(mcp: McpConfig, key: Key, to: number, because: string): Moved {
  const from = valueOf(mcp, key) as number;
  const table = valueOf(mcp, { path: key.path.slice(0, -1) }) as Record<string, unknown>;
  table[key.path.at(-1) ?? ""] = to;
  return { key: key.name, from, to, because };
}
