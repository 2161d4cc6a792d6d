import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { fromChangeErrno, fromErrno } from "../src/errno.js";
import type { Hand } from "../src/hand.js";
import { createJournal, type JournalOptions, type OpenJournal } from "../src/journal/create-journal.js";
import { drive } from "../src/kernel/drive.js";
import { Mounts } from "../src/kernel/mounts.js";
import { NetworkThreads } from "../src/kernel/network.js";
import type { Steps } from "../src/kernel/syscalls.js";
import { parseArgument } from "../src/path/argument.js";
import { Executed } from "../src/path/executed.js";
import { toBytes } from "../src/path/names.js";
import { plantTree } from "../src/path/plant.js";
import { createReadMarks } from "../src/stale/read-marks.js";
import { createLocks } from "../src/state/locks.js";
import { HashCache } from "../src/write/content-hash.js";
import { freshDir } from "./tree.js";

export interface WorkshopOptions {
  /** Below the base; the first one is what relative paths start from. */
  readonly roots?: readonly string[];
  readonly homes?: readonly string[];
  readonly deny?: readonly string[];
  readonly program?: readonly string[];
  readonly journal?: Partial<JournalOptions>;
  readonly networkTimeoutMs?: number;
  readonly staleGuard?: Hand["staleGuard"];
}

/** A hand with a journal, and what it works on. */
export interface Workshop {
  readonly base: string;
  /** The first root. */
  readonly root: string;
  readonly hand: Hand;
  readonly journal: OpenJournal;
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
  const network = new NetworkThreads({ timeoutMs: options.networkTimeoutMs ?? 5000, threads: 4 });
  const { tree, homes, uproot } = plantTree(
    { roots, home, homes: options.homes ?? [], deny: options.deny ?? [], privatePaths: [data] },
    new Mounts(),
  );
  const temps = new Set<string>();
  const executed = new Executed({ homes, program: (options.program ?? []).map(toBytes), allowed: false });
  const shared = {
    tree,
    network,
    executed,
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
  const journal = createJournal({
    dir: join(data, "undo"),
    enabled: true,
    maxBytes: 64 * 1024 * 1024,
    maxAgeHours: 72,
    minFree: 0,
    ...shared,
    ...options.journal,
  });
  onTestFinished(() => {
    journal.close();
    void drive(uproot(), network).catch(() => {});
    network.end();
  });
  const [root = ""] = roots;
  const driven =
    (translate: typeof fromErrno) =>
    async <T>(steps: Steps<T>, shown: string, signal?: AbortSignal): Promise<T> => {
      try {
        return await drive(steps, network, signal);
      } catch (thrown) {
        throw translate(thrown, shown);
      }
    };
  const marks = createReadMarks({ maxPerOwner: 100, maxOwners: 10 });
  const hand: Hand = {
    ...shared,
    journal,
    marks,
    hashes: new HashCache(),
    staleGuard: options.staleGuard ?? "refuse",
    ask: (path, cwd) => parseArgument(path, cwd ?? root, home),
    run: driven(fromErrno),
    change: driven(fromChangeErrno),
  };
  return { base, root, hand, journal, temps, seen: () => marks.below(ME.session, "/") };
}

/** Takes the last change back. */
export function undoLast({ journal }: Workshop): Promise<unknown> {
  return journal.undoLast(ME);
}
