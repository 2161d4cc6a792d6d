import { KeptLocks } from "./kept-locks.js";
import { LockFolder } from "./lock-folder.js";
import { SharedLocks } from "./shared-locks.js";
import { Turns } from "./turns.js";

/** One writer at a time for each place, in this process and among all that share the state folder. */
export interface Locks {
  /** `key` names the place: device and inode of its folder, and the name. Waits until nobody else has it. */
  hold(key: string, options: { shown: string; signal?: AbortSignal | undefined }): Promise<AsyncDisposable>;
  /** Undefined where somebody would have to be waited for. Returns what gives it back, once. */
  holdNow(key: string): (() => void) | undefined;
}

export interface OpenLocks extends Locks {
  /** Removes what dead processes left. For the start; nobody need wait for it, and it never fails. */
  sweep(): Promise<void>;
  close(): void;
}

export interface LocksOptions {
  /** The data dir. With null, or where it cannot be used, the locks hold within this process. */
  readonly dir: string | null;
  /** How long to wait for another process. Within this one a turn comes, however long that takes. */
  readonly waitMs: number;
  /** Told once when locks cannot be shared with other processes, and why. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

export function createLocks({ dir, waitMs, onProblem }: LocksOptions): OpenLocks {
  const turns = new Turns();
  const shared = dir === null ? undefined : new SharedLocks({ dir, waitMs, onProblem });
  const kept = shared && new KeptLocks(shared);
  return {
    async hold(key, { shown, signal }) {
      const turn = await turns.enter(key, signal);
      let drop: (() => Promise<void>) | undefined;
      try {
        await kept?.giveBack(LockFolder.nameOf(key));
        drop = await shared?.take(LockFolder.nameOf(key), turn, shown, signal);
      } catch (thrown) {
        turn.leave();
        throw thrown;
      }
      let isHeld = true;
      return {
        async [Symbol.asyncDispose]() {
          if (!isHeld) return;
          isHeld = false;
          await drop?.();
          turn.leave();
        },
      };
    },
    holdNow(key) {
      const leave = turns.enterNow(key);
      if (leave === undefined || kept === undefined) return leave;
      const name = LockFolder.nameOf(key);
      const taken = kept.take(name);
      if (taken === undefined) return leave;
      if (!taken) {
        leave();
        return undefined;
      }
      return () => {
        kept.keep(name);
        leave();
      };
    },
    sweep: async () => await shared?.sweep(),
    close: () => {
      kept?.giveBackAll();
      shared?.close();
    },
  };
}
