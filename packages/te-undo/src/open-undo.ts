import { drive, type Work, type OpenScope } from "@llmc/te-path";
import type { Undo } from "./target/undo.js";
import { openChanges, type OpenChanges, type SettingNames } from "./undo/open-changes.js";
import type { UndoStep } from "./store/steps.js";
import { createLocks } from "./locks/locks.js";
import { sweepTemps } from "./temps/sweep-temps.js";
import { createTemps } from "./temps/temps.js";

export interface OpenUndo extends Undo, Pick<OpenChanges, "undo" | "undoLast" | "list" | "sweep" | "close"> {}

export interface OpenUndoOptions {
  readonly scope: OpenScope;
  /** The data dir: changes, locks among servers and the names of temporary files. With null, undo is off. */
  readonly dir: string | null;
  readonly enabled: boolean;
  readonly maxBytes: number;
  readonly maxAgeHours: number;
  readonly names?: SettingNames | undefined;
  readonly onProblem?: ((message: string) => void) | undefined;
  /** Called with the id of a change that a crashed server left unfinished. */
  readonly onBegun?: ((id: string) => void) | undefined;
  /** Called with the steps that a session has undone. */
  readonly onUndone?: ((session: string, work: readonly UndoStep[]) => Work<void>) | undefined;
}

/** How long another server may keep a file to itself. */
const LOCK_WAIT_MS = 10_000;

/** The folder of kept content below the data dir. */
export function undoFolder(dir: string): string {
  return `${dir}/undo`;
}

export function openUndo({ scope, dir, onProblem, onBegun, onUndone, ...bounds }: OpenUndoOptions): OpenUndo {
  const { network, mounts } = scope;
  const ended = new AbortController();
  const locks = createLocks({ dir, waitMs: LOCK_WAIT_MS, onProblem });
  const temps = createTemps({ dir, onProblem });
  const changes = openChanges({
    dir: dir === null ? null : undoFolder(dir),
    ...bounds,
    ...{ scope, temps, locks },
    onRecovered: () => sweepLeftovers(true),
    ...(onBegun && { onBegun }),
    ...(onUndone && { onUndone }),
  });

  async function sweepLeftovers(once = false): Promise<void> {
    if (dir === null) return;
    try {
      const { problems } = await sweepTemps(dir, { mounts, run: (work) => drive(work, network), once }, ended.signal);
      for (const problem of problems) onProblem?.(problem);
    } catch (thrown) {
      if (!ended.signal.aborted) onProblem?.(`What killed servers left could not be looked for: ${String(thrown)}`);
    }
  }

  return {
    ...changes,
    scope,
    locks,
    temps,
    sweep: async () => {
      await Promise.all([changes.sweep(), locks.sweep(), sweepLeftovers()]);
    },
    close() {
      ended.abort();
      changes.close();
      locks.close();
      temps.close();
    },
  };
}
