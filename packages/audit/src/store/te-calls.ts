import { isShortName, shortName } from "@llmc/handles";
import type { Miss } from "../record/misses.js";
import type { Savings } from "../record/savings.js";
import type { TeRow } from "../record/te-row.js";

/** A new row, or a miss of an earlier one, in the order in which they happened. */
export type TeEvent = TeRow | Miss;

/** The telemetry of the envelope, in the server's database or in memory. */
export interface TeCalls {
  append(events: readonly TeEvent[]): Promise<void>;
  savings(): Promise<Savings[]>;
  /** Appends before it returns, and does not retry on a lock. Throws if the events are not written. */
  appendSync(events: readonly TeEvent[]): void;
}

export function isMiss(event: TeEvent): event is Miss {
  return !("timestamp" in event);
}

/** A reader names a handle by its id, its short name or its address. */
export function handleName(handle: string): string {
  const name = handle.slice(handle.lastIndexOf("/") + 1);
  return isShortName(name) ? name : shortName(name);
}

/** Short names of the handles of a row. */
export function handleNames({ handle, stderrHandle }: TeRow): string | null {
  const names = [handle, stderrHandle].filter((each) => each !== null).map(shortName);
  return names.length === 0 ? null : names.join(" ");
}
