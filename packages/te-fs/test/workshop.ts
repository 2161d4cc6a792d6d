import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openChanges, type ChangesOptions, type OpenChanges } from "../../te-undo/src/undo/open-changes.js";
import { openScope } from "../../te-path/src/scope/open-scope.js";
import type { StaleGuard, StaleMode } from "../src/stale/stale-guard.js";
import type { Undo } from "../../te-undo/src/target/undo.js";
import { createReadMarks } from "../src/stale/read-marks.js";
import { createLocks } from "../../te-undo/src/locks/locks.js";
import { freshDir } from "../../te-path/test/tree.js";

export interface WorkshopOptions {
  /** Below the base; the first one is what relative paths start from. */
  readonly roots?: readonly string[];
  readonly homes?: readonly string[];
  readonly deny?: readonly string[];
  readonly program?: readonly string[];
  readonly journal?: Partial<ChangesOptions>;
  readonly networkTimeoutMs?: number;
  readonly staleGuard?: StaleMode;
}

/** Undo and the stale guard over fresh roots, with temporary names that can be watched. */
export interface Workshop {
  readonly base: string;
  /** The first root. */
  readonly root: string;
  readonly undo: Undo;
  readonly guard: StaleGuard;
  readonly journal: OpenChanges;
  /** Temporary names that were given and are not done with. */
  readonly temps: Set<string>;
  /** The paths of which the session has seen the content. */
  seen(): readonly string[];
}

export const ME = { owner: "me", session: "s1" } as const;

let count = 0;

export function workshop(base = freshDir(), options: WorkshopOptions = {}): Workshop {
  const roots = (options.roots ?? ["root"]).map((name) => join(base, name));
  const data = join(base, "data");
  for (const root of roots) mkdirSync(root, { recursive: true });
  const home = options.homes?.[0] ?? "/nonexistent-home";
  const scope = openScope({
    roots,
    home,
    homes: options.homes ?? [],
    deny: options.deny ?? [],
    privatePaths: [data],
    program: options.program,
    mountTimeoutMs: options.networkTimeoutMs,
  });
  const temps = new Set<string>();
  const shared = {
    scope,
    locks: createLocks({ dir: null, waitMs: 1000 }),
    temps: {
      name(folder: string) {
        const name = `.temp-${process.pid}-${count++}`;
        temps.add(`${folder}/${name}`);
        return name;
      },
      done: (folder: string, name: string) => void temps.delete(`${folder}/${name}`),
    },
  };
  const changes = openChanges({
    dir: join(data, "undo"),
    enabled: true,
    maxBytes: 64 * 1024 * 1024,
    maxAgeHours: 72,
    minFree: 0,
    ...shared,
    ...options.journal,
  });
  onTestFinished(() => {
    changes.close();
    scope.close();
  });
  const [root = ""] = roots;
  const marks = createReadMarks({ maxPerOwner: 100, maxOwners: 10 });
  const guard = { mode: options.staleGuard ?? "refuse", marks };
  const undo = { ...changes, ...shared };
  return { base, root, undo, guard, journal: changes, temps, seen: () => marks.below(ME.session, "/") };
}

/** Takes the last change back. */
export function undoLast({ journal: changes }: Workshop): Promise<unknown> {
  return changes.undoLast(ME);
}
