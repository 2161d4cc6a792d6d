import type { Disk } from "./read-disks.js";

interface Mark {
  readonly at: number;
  readonly usedBytes: number;
}

/** What a disk is filling up with, if it goes on like this. */
export interface Filling {
  readonly bytesPerHour: number;
  readonly hoursLeft: number;
  /** What it was measured over. */
  readonly overMs: number;
}

const EVERY_MS = 60_000;
const MARKS = 60;
const MAX_DISKS = 64;
const LOOK_BACK_MS = 2 * 60 * 60 * 1000;
/** Growth that is told: less comes and goes by itself. */
const LEAST_BYTES = 64 * 1024 * 1024;
const LEAST_SHARE = 0.002;

/** How full each disk was at earlier calls, a mark a minute. */
export class DiskTrend {
  readonly #now: () => number;
  readonly #marks = new Map<string, Mark[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  keep(disks: readonly Disk[]): void {
    const at = this.#now();
    const seen = new Set(disks.map(({ mount }) => mount.point));
    for (const point of this.#marks.keys()) if (!seen.has(point)) this.#marks.delete(point);
    for (const { mount, space } of disks.slice(0, MAX_DISKS)) {
      const marks = this.#marks.get(mount.point) ?? [];
      const last = marks.at(-1);
      if (last !== undefined && at - last.at < EVERY_MS) continue;
      this.#marks.set(mount.point, [...marks.slice(1 - MARKS), { at, usedBytes: space.usedBytes }]);
    }
  }

  /** Undefined while it does not fill, or nobody looked a while ago. */
  of({ mount, space }: Disk): Filling | undefined {
    const at = this.#now();
    const base = this.#marks.get(mount.point)?.find((mark) => at - mark.at <= LOOK_BACK_MS && at - mark.at >= EVERY_MS);
    if (base === undefined) return undefined;
    const grown = space.usedBytes - base.usedBytes;
    if (grown < Math.min(LEAST_BYTES, LEAST_SHARE * space.totalBytes)) return undefined;
    const bytesPerHour = (grown * 3_600_000) / (at - base.at);
    return { bytesPerHour, hoursLeft: space.availableBytes / bytesPerHour, overMs: at - base.at };
  }
}
