import { fstatSync, ftruncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Bytes } from "@llmc/names";
import { makeOwnerFile, type OwnerFile } from "../locks/owner-file.js";
import { Pulse } from "../locks/pulse.js";
import { recordLine } from "./temp-record.js";

export const RECORDS = "temps";
const BEAT_MS = 10_000;
/** How long a process that cannot be seen may show no sign of life. Nobody waits for this, so it may be long. */
export const TEMPS_PATIENCE_MS = 60_000;
const BYTES_KEPT = 64 * 1024;

/** The file in which this process writes down its temporary files. Not synced: after a power cut they are the least. */
export class TempRecords {
  readonly #folder: string;
  readonly #pulse: Pulse;
  /** Its folder by its name. */
  readonly #outstanding = new Map<Bytes, Bytes>();
  #file: OwnerFile | undefined;
  #size = 0;
  #limit = BYTES_KEPT;

  constructor(dir: string) {
    this.#folder = join(dir, RECORDS);
    this.#pulse = new Pulse({
      everyMs: BEAT_MS,
      patienceMs: TEMPS_PATIENCE_MS,
      beat: () => this.#beat(),
      isBusy: () => this.#outstanding.size > 0,
    });
  }

  add(folder: Bytes, name: Bytes): void {
    this.#outstanding.set(name, folder);
    this.#pulse.quicken();
    if (this.#file === undefined) return this.#begin();
    this.#size += append(this.#file, recordLine({ folder, name }));
    if (this.#size > this.#limit) this.#shorten();
  }

  remove(name: Bytes): void {
    this.#outstanding.delete(name);
    if (this.#outstanding.size > 0 || this.#file === undefined || this.#size <= BYTES_KEPT) return;
    ftruncateSync(this.#file.fd, this.#file.head);
    this.#size = this.#file.head;
  }

  /** What is still there is for the next start. */
  close(): void {
    this.#pulse.stop();
    const file = this.#file;
    this.#file = undefined;
    if (this.#outstanding.size === 0) file?.remove();
    else file?.close();
  }

  /** Where there is always something outstanding the file would grow for ever: what is done is left out. */
  #shorten(): void {
    try {
      this.#begin();
    } catch {
      // No room for a second file: the first one grows on, and has all that matters.
    }
  }

  /** A new file with all that is outstanding, before the old one goes: at no moment is it nowhere. */
  #begin(): void {
    const old = this.#file;
    const file = makeOwnerFile(this.#folder, "of-");
    try {
      const lines = Array.from(this.#outstanding, ([name, folder]) => recordLine({ folder, name }));
      this.#size = file.head + append(file, lines.join(""));
    } catch (thrown) {
      file.remove();
      throw thrown;
    }
    this.#file = file;
    this.#limit = Math.max(BYTES_KEPT, 2 * this.#size);
    old?.remove();
  }

  /** After a long rest a server that cannot see us may have taken us for dead, and swept the file away. */
  #beat(): void {
    this.#file?.touch();
    if (this.#file !== undefined && fstatSync(this.#file.fd).nlink === 0) this.#begin();
  }
}

function append({ fd }: OwnerFile, lines: Bytes): number {
  const count = writeSync(fd, lines, null, "latin1");
  if (count !== lines.length) throw Object.assign(new Error("ENOSPC: written in part"), { code: "ENOSPC" });
  return count;
}
