import { opendir } from "node:fs/promises";
import { OpsError } from "@llmc/errors";
import { type Mounts, hasCode, lstat, unlink, type Work } from "@llmc/te-path";
import { type Bytes, displayPath, toBytes } from "@llmc/names";
import { clearFolder } from "./clear-folder.js";
import { nap } from "../locks/nap.js";
import { fateOf, type Fate } from "../locks/process-mark.js";
import { Sightings } from "../locks/pulse.js";
import { readRecords, type RecordFile } from "./temp-record.js";
import { RECORDS, TEMPS_PATIENCE_MS } from "./temp-records.js";

export interface SweepOptions {
  readonly mounts: Mounts;
  /** Drives what may have to do with network mounts. */
  readonly run: <T>(work: Work<T>) => Promise<T>;
  /** Do not wait for those who cannot be seen from here. */
  readonly once?: boolean;
}

export interface Swept {
  readonly removed: number;
  /** What could not be removed, and why, a sentence each. It is tried again at each start for a month. */
  readonly problems: readonly string[];
}

const RECORD = /^of-[0-9a-f]{24}$/;
const MAX_FILES = 10_000;
const MAX_PROBLEMS = 20;
/** A disk may be away for a while, and its folders with it. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Removes the temporary files of dead processes, as they wrote them down; looks for nothing. It may take more than a
 * minute: nobody should wait for it, and it fails with its signal.
 */
export async function sweepTemps(dir: string, options: SweepOptions, signal: AbortSignal): Promise<Swept> {
  const sweep = new TempSweep(`${dir}/${RECORDS}`, options, signal);
  if ((await sweep.pass()) > 0 && options.once !== true) {
    // Whoever could not be seen has shown by then whether he is alive.
    await nap(TEMPS_PATIENCE_MS, { signal, held: false });
    await sweep.pass();
  }
  return sweep.swept;
}

class TempSweep {
  readonly swept = { removed: 0, problems: [] as string[] };
  readonly #folder: string;
  readonly #options: SweepOptions;
  readonly #signal: AbortSignal;
  readonly #sightings = new Sightings(TEMPS_PATIENCE_MS);
  /** Mounts that did not answer: one wait for each is enough. */
  readonly #silent = new Set<Bytes>();

  constructor(folder: string, options: SweepOptions, signal: AbortSignal) {
    this.#folder = folder;
    this.#options = options;
    this.#signal = signal;
  }

  /** Of how many processes it could not be told whether they live. */
  async pass(): Promise<number> {
    let unsettled = 0;
    for (const name of await this.#listed()) {
      try {
        if (!(await this.#settle(name))) unsettled += 1;
      } catch (thrown) {
        this.#note(`The record ${name} of temporary files cannot be read: ${(thrown as Error).message}`);
      }
    }
    return unsettled;
  }

  async #settle(name: string): Promise<boolean> {
    const { run } = this.#options;
    const path = toBytes(`${this.#folder}/${name}`);
    const file = await run(readRecords(path));
    if (file === undefined) return true;
    const fate = this.#fateOf(name, file);
    if (fate === "dead" && (await this.#clear(file))) await run(removeUnlessChanged(path, file));
    return fate !== "unseen";
  }

  async #listed(): Promise<string[]> {
    const names: string[] = [];
    try {
      for await (const { name } of await opendir(this.#folder)) {
        if (RECORD.test(name) && names.push(name) === MAX_FILES) break;
      }
    } catch (thrown) {
      if (!hasCode(thrown, "ENOENT")) throw thrown;
    }
    return names;
  }

  #fateOf(name: string, { mark, stat }: RecordFile): Fate {
    const fate = fateOf(mark);
    return fate === "unseen" && this.#sightings.isStill(name, stat) ? "dead" : fate;
  }

  /** Whether its records are of no further use. */
  async #clear({ stat, folders }: RecordFile): Promise<boolean> {
    let isDone = true;
    for (const [folder, names] of folders) {
      if (this.#signal.aborted) return false;
      if (!(await this.#clearFolder(folder, names))) isDone = false;
    }
    return isDone || Number(stat.mtimeNs / 1_000_000n) < Date.now() - KEPT_MS;
  }

  async #clearFolder(folder: Bytes, names: ReadonlySet<Bytes>): Promise<boolean> {
    const { mounts, run } = this.#options;
    const mount = mounts.network(folder);
    if (mount !== null && this.#silent.has(mount)) return false;
    try {
      const removed = await run(clearFolder(folder, names, { mounts, mount }));
      this.swept.removed += removed ?? 0;
      return removed !== undefined;
    } catch (thrown) {
      if (mount !== null && OpsError.is(thrown) && thrown.code === "TIMEOUT") this.#silent.add(mount);
      this.#note(`A temporary file of a killed server stays in ${displayPath(folder)}: ${(thrown as Error).message}`);
      return false;
    }
  }

  #note(problem: string): void {
    if (this.swept.problems.length < MAX_PROBLEMS) this.swept.problems.push(problem);
  }
}

/** One whom nobody could see may have begun to work again. */
function* removeUnlessChanged(path: Bytes, { stat }: RecordFile): Work<void> {
  const now = yield* lstat(null, path);
  if (now?.mtimeNs === stat.mtimeNs) yield* unlink(null, path);
}
