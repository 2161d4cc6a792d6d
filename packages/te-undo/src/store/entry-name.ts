import { isEntryId } from "./entry-id.js";

/**
 * What a file of the journal is, told by its name alone.
 * The log of an entry: being written, done, or taken back. `content`: a file's old bytes, under their sum. `kept`: something
 * that was removed, as it was. `part`: content that is not all there yet.
 */
export type EntryPart = "open" | "done" | "undone" | "content" | "kept" | "part";

export interface EntryName {
  readonly id: string;
  readonly part: EntryPart;
  /** Of content and what is kept: how much it counts. */
  readonly bytes: number;
}

const ID_LENGTH = "U_20250102T030405Z_".length + 14;
const REST = /^\.(?:([0-9a-f]{64})|(kept|part)-\d{1,6})\.(\d{1,16})$/;
const LOGS: Readonly<Record<string, EntryPart>> = { "": "done", ".open": "open", ".undone": "undone" };

export function logName(id: string, part: "open" | "done" | "undone"): string {
  return part === "done" ? id : `${id}.${part}`;
}

/** What an entry holds is a file of its own, `what` its sum or number. */
export function heldName(id: string, what: string): string {
  return `${id}.${what}`;
}

export function parseName(name: string): EntryName | undefined {
  const id = name.slice(0, ID_LENGTH);
  if (!isEntryId(id)) return undefined;
  const rest = name.slice(ID_LENGTH);
  const log = LOGS[rest];
  if (log !== undefined) return { id, part: log, bytes: 0 };
  const [, sum, kind, bytes] = REST.exec(rest) ?? [];
  if (bytes === undefined) return undefined;
  return { id, part: sum === undefined ? (kind as "kept" | "part") : "content", bytes: Number(bytes) };
}
