/** A trip to the thread pool and back costs about as much. */
const QUICK_MS = 2;
const EARNED_BY = 4;
const EARNED_BY_AT_MOST = 1024;
const MAX_DISKS = 64;

interface Disk {
  /** Quick answers since the last slow one. */
  quick: number;
  /** How many of them it takes to be trusted. */
  earnedBy: number;
}

/**
 * Disks that answer an fsync so quickly that it may be waited for here and now. How long the next one takes nobody knows:
 * what counts is that the last ones were quick, all of them. One slow answer ends the trust, so a disk that has become
 * slow holds the event loop up once; and it takes twice as many to earn that again, so one that is slow now and then does
 * it ever more rarely.
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
    if (ms < QUICK_MS) {
      disk.quick += 1;
      return;
    }
    if (disk.quick >= disk.earnedBy) disk.earnedBy = Math.min(2 * disk.earnedBy, EARNED_BY_AT_MOST);
    disk.quick = 0;
  }

  #add(dev: bigint): Disk {
    if (this.#disks.size >= MAX_DISKS) this.#disks.clear();
    const disk = { quick: 0, earnedBy: EARNED_BY };
    this.#disks.set(dev, disk);
    return disk;
  }
}
