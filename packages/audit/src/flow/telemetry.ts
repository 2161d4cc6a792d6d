import type { Database } from "@llmc/handles";
import type { CallRecord } from "@llmc/toolkit";
import { createMisses } from "../record/misses.js";
import type { Savings } from "../record/savings.js";
import { teRowOf } from "../record/te-row.js";
import type { Retention } from "../store/calls.js";
import type { TeEvent } from "../store/te-calls.js";
import type { Mask } from "../text/mask.js";
import { createChannel, type Channel } from "./channel.js";
import { createKeptStore } from "./kept-store.js";
import { openTeCalls } from "./open-calls.js";
import type { Problems } from "./problems.js";

export interface TelemetryOptions {
  readonly database: () => Promise<Database>;
  readonly retention: Retention;
  readonly mask: Mask;
  readonly version: string;
  readonly problems: Problems;
  readonly onLost: (events: number) => void;
}

/** Records of outputs that the envelope told, kept beside the calls. */
export interface Telemetry {
  /** Takes every finished call, because a read of a handle or a second run tells about an earlier one. */
  keep(record: CallRecord): void;
  readonly channel: Channel<TeEvent>;
  savings(): Promise<Savings[]>;
}

export function createTelemetry({ database, retention, mask, version, ...rest }: TelemetryOptions): Telemetry {
  const store = createKeptStore(async () => openTeCalls(await database(), retention));
  const misses = createMisses();
  const channel = createChannel<TeEvent>({
    ...rest,
    name: "The telemetry database",
    write: async (events) => (await store.open()).append(events),
    writeSync: (events) => store.opened().appendSync(events),
  });

  function keep(record: CallRecord): void {
    const row = record.envelope === null ? null : teRowOf(record, record.envelope, { mask, version });
    const miss = misses.after(record, row);
    if (miss !== null) channel.push(miss);
    if (row !== null) channel.push(row);
  }

  return { keep, channel, savings: async () => (await store.open()).savings() };
}
