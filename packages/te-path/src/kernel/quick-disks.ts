/** A trip to the thread pool and back costs about as much. */
const QUICK_MS = 2;
/** Longer than this an event loop may not be held up. */
const HELD_UP_MS = 10;
const EARNED_BY = 4;
const EARNED_BY_AT_MOST = 1024;
/** So many quick answers make up for one between the two: where that is the rule, there is no trust. */
const MAKE_UP_FOR_ONE = 16;
const MAX_DISKS = 64;

interface Disk {
  /** Quick answers, less those that others used up. */
  quick: number;
  /** How many of them it takes to be trusted. */
  earnedBy: number;
}

/**
 * Disks that answer an fsync so quickly that it may be waited for here and now. How long the next one takes nobody knows:
 * what counts is what the last ones took. One that holds the event loop up ends the trust, so a disk that has become slow
 * does that once; and it takes twice as many to earn it again, so one that is slow now and then does it ever more rarely.
 */
export class QuickDisks {
  readonly #disks = new Map<bigint, Disk>();

  isQuick(dev: bigint): boolean {
    const disk = this.#disks.get(dev);
    return disk !== undefined && disk.quick >= disk.earnedBy;
  }

  /** What an fsync took, whether it was waited for or not. */
  took(dev: bigint, ms: number): void {
    const disk = this.#disks.get(dev) ?? this.#add(dev);
    const { quick, earnedBy } = disk;
    if (ms < QUICK_MS) disk.quick = Math.min(quick + 1, earnedBy + MAKE_UP_FOR_ONE);
    else if (ms < HELD_UP_MS) disk.quick = Math.max(0, quick - MAKE_UP_FOR_ONE);
    else {
      if (quick >= earnedBy) disk.earnedBy = Math.min(2 * earnedBy, EARNED_BY_AT_MOST);
      disk.quick = 0;
    }
  }

  #add(dev: bigint): Disk {
    if (this.#disks.size >= MAX_DISKS) this.#disks.clear();
    const disk = { quick: 0, earnedBy: EARNED_BY };
    this.#disks.set(dev, disk);
    return disk;
  }
}
