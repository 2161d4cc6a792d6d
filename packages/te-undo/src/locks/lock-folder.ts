import { hash } from "node:crypto";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { driveNow, hasCode, type Work } from "@llmc/te-path";
import { type Bytes, toBytes } from "@llmc/names";
import { dropIfMine, look, remove, removeDead, take, type LockSite } from "./lock-file.js";
import { makeOwnerFile, type OwnerFile } from "./owner-file.js";
import { fateOf } from "./process-mark.js";
import { Pulse, Sightings } from "./pulse.js";

const BEAT_MS = 1000;
/** How long a process that cannot be seen may show no sign of life. */
export const PATIENCE_MS = 10_000;
const SWEPT = /^([0-9a-f]{32}|owner-[0-9a-f]{24})~*$/;
const MAX_SWEPT = 100_000;
let lastNamed = { key: "", name: "" };

/** The locks that all processes with this data dir have in common. Every method may fail as its system calls do. */
export class LockFolder {
  readonly #folder: string;
  readonly #sightings = new Sightings(PATIENCE_MS);
  readonly #pulse: Pulse;
  /** When each was taken. */
  readonly #held = new Map<Bytes, number>();
  readonly #bytes: Bytes;
  #owner: OwnerFile | undefined;
  #site: LockSite | undefined;
  #closing = false;

  constructor(dir: string) {
    this.#folder = join(dir, "locks");
    this.#bytes = toBytes(this.#folder);
    this.#pulse = new Pulse({
      everyMs: BEAT_MS,
      patienceMs: PATIENCE_MS,
      beat: () => this.#owner?.touch(),
      isBusy: () => this.#held.size > 0,
    });
  }

  static nameOf(key: string): Bytes {
    // The file that is written next is often the one that was written last.
    if (key !== lastNamed.key) lastNamed = { key, name: hash("sha256", key, "hex").slice(0, 32) };
    return lastNamed.name;
  }

  /** False while a live process has it. */
  take(name: Bytes): boolean {
    this.#pulse.quicken();
    const taken = this.#asOwner((site) => take(site, name));
    if (taken) this.#held.set(name, performance.now());
    return taken;
  }

  /** No standstill since it was taken. */
  isSure(name: Bytes): boolean {
    return !this.#pulse.hasPausedSince(this.#held.get(name) ?? 0);
  }

  /** False while it cannot be told whether it is still ours after a standstill: ask again. */
  drop(name: Bytes): boolean {
    const isSure = this.isSure(name);
    if (!isSure && !this.#asOwner((site) => dropIfMine(site, name))) return false;
    this.#held.delete(name);
    if (isSure) driveNow(remove(this.#bytes, name));
    if (this.#closing) this.close();
    return true;
  }

  /** Removes what dead processes left; tells of how many it cannot say yet. */
  async sweep(signal: AbortSignal): Promise<number> {
    let unsettled = 0;
    let count = 0;
    for await (const { name } of await opendir(this.#folder)) {
      if (signal.aborted || ++count > MAX_SWEPT) break;
      if (SWEPT.test(name) && this.#sweepOne(name)) unsettled += 1;
    }
    return unsettled;
  }

  /** Nothing of this process stays behind once its last lock is dropped. */
  close(): void {
    this.#closing = true;
    if (this.#held.size > 0) return;
    this.#pulse.stop();
    const owner = this.#owner;
    this.#forgetOwner();
    owner?.remove();
  }

  #sweepOne(name: Bytes): boolean {
    const sight = this.#asOwner((site) => look(site, name));
    if (sight === "dead") this.#asOwner((site) => removeDead(site, name));
    return sight === "unseen";
  }

  /** Should the file have gone with its folder, there is a new one. */
  #asOwner<T>(work: (site: LockSite) => Work<T>): T {
    try {
      return driveNow(work((this.#site ??= this.#settle())));
    } catch (thrown) {
      if (!hasCode(thrown, "ENOENT")) throw thrown;
    }
    this.#owner?.close();
    this.#forgetOwner();
    return driveNow(work((this.#site = this.#settle())));
  }

  #forgetOwner(): void {
    this.#owner = undefined;
    this.#site = undefined;
  }

  #settle(): LockSite {
    const { path, dev, ino } = (this.#owner = makeOwnerFile(this.#folder, "owner-"));
    return {
      folder: this.#bytes,
      owner: { path: toBytes(path), dev, ino },
      fateOf: (name, text, stat) => {
        const fate = fateOf(text);
        return fate === "unseen" && this.#sightings.isStill(name, stat) ? "dead" : fate;
      },
    };
  }
}
