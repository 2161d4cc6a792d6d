import { setImmediate as nextTurn } from "node:timers/promises";
import type { CallRecord } from "@llmc/toolkit";
import type { Sizes } from "../record/row.js";

export interface IntakeOptions {
  readonly measure: (record: CallRecord) => Sizes;
  readonly keep: (record: CallRecord, sizes: Sizes) => void;
  /** What waited was kept. */
  readonly after: () => Promise<void>;
  readonly onLost: (records: number) => void;
  /** A record that cannot be kept is our bug and nobody else's trouble. */
  readonly onError: (thrown: unknown) => void;
}

/** Where finished calls wait for a moment in which no call is held up by their record. */
export interface Intake {
  push(record: CallRecord): void;
  soon(): void;
  /** Resolves when everything pushed so far was kept. Never rejects. */
  drain(): Promise<void>;
  drainSync(): void;
}

const WAITING = 10_000;
// A waiting record keeps its result alive.
const AT_ONCE = 256;
const DELAY_MS = 200;
const TURN_MS = 1;

export function createIntake({ measure, keep, after, onLost, onError }: IntakeOptions): Intake {
  const records: CallRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let immediate = false;
  let running: Promise<void> = Promise.resolve();

  function push(record: CallRecord): void {
    records.push(record);
    if (records.length > WAITING) {
      records.shift();
      onLost(1);
    }
    if (records.length >= AT_ONCE) soon();
    else timer ??= setTimeout(() => void drain(), DELAY_MS).unref();
  }

  function soon(): void {
    if (immediate) return;
    immediate = true;
    setImmediate(() => {
      immediate = false;
      void drain();
    });
  }

  function drain(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    running = running.then(keepAll).then(after);
    return running;
  }

  async function keepAll(): Promise<void> {
    let turn = performance.now();
    for (let record = records.shift(); record !== undefined; record = records.shift()) {
      keepOne(record);
      if (performance.now() - turn < TURN_MS) continue;
      await nextTurn();
      turn = performance.now();
    }
  }

  function drainSync(): void {
    for (let record = records.shift(); record !== undefined; record = records.shift()) keepOne(record);
  }

  function keepOne(record: CallRecord): void {
    try {
      keep(record, measure(record));
    } catch (thrown) {
      onError(thrown);
    }
  }

  return { push, soon, drain, drainSync };
}
