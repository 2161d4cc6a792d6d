import type { Bytes } from "@llmc/names";
import { someRandom } from "../locks/random.js";
import { TempRecords } from "./temp-records.js";

/** Names of temporary files, written down before the file is made, so that none of a killed process stays for ever. */
export interface Temps {
  /**
   * A fresh name for a file or folder in the folder that really lies at `folder`. What has it when the process is killed
   * is removed at the next start, whatever it is: nothing that is nowhere else may get it.
   */
  name(folder: Bytes): Bytes;
  /** It has been renamed or removed. */
  done(folder: Bytes, name: Bytes): void;
}

export interface OpenTemps extends Temps {
  close(): void;
}

export interface TempsOptions {
  /** The data dir. With null, or where it cannot be used, names are not written down. */
  readonly dir: string | null;
  /** Told once when names cannot be written down, and why. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

export function createTemps({ dir, onProblem }: TempsOptions): OpenTemps {
  const records = dir === null ? undefined : new TempRecords(dir);
  let isTold = false;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      if (!isTold) onProblem?.(`A temporary file may stay if the server is killed: ${(thrown as Error).message}`);
      isTold = true;
    }
  };
  return {
    name(folder) {
      const name = `.llmc-${someRandom(12).toString("hex")}.tmp`;
      if (records !== undefined) attempt(() => records.add(folder, name));
      return name;
    },
    done(_folder, name) {
      if (records !== undefined) attempt(() => records.remove(name));
    },
    close: () => attempt(() => records?.close()),
  };
}
