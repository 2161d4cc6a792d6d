import type { Procfs } from "@llmc/procfs";
import { run } from "@llmc/te-run";
import { atMost } from "../ask/at-most.js";
import { spaceOf, type Space } from "./space.js";

/** What asking a mount that may never answer has come to. */
export type RemoteAnswer =
  | { readonly state: "known"; readonly space: Space; readonly ageMs: number }
  | { readonly state: "silent" }
  /** It answered, and said no. */
  | { readonly state: "refused"; readonly why: string };

interface Asked {
  space?: Space;
  why?: string;
  at: number;
  askedAt: number;
  /** Settles when the program that asks has ended, or was given up. */
  asking?: Promise<void>;
  /** Processes that hang in the kernel until the mount answers. */
  hanging: readonly { readonly pid: number; readonly startTicks: number }[];
}

const FRESH_MS = 5000;
const ASK_MS = 3000;
/** On a busy machine it may take as long to start a program. */
const PATIENCE_MS = 1000;
const MAX_MOUNTS = 64;
/** Block size, blocks, free, available, inodes, free inodes. */
const FORMAT = "%S %b %f %a %c %d";

/**
 * Network and fuse mounts, asked by a program of their own: where the mount is dead, the program hangs and we do not.
 * A mount is not asked again while a program still hangs on it, so that a dead one collects no heap of them.
 */
export class RemoteSpaces {
  readonly #procfs: Procfs;
  readonly #now: () => number;
  readonly #asked = new Map<string, Asked>();

  constructor(procfs: Procfs, now: () => number) {
    this.#procfs = procfs;
    this.#now = now;
  }

  /** Who has not answered a second after being asked is silent; later calls do not wait for it again. */
  async ask(points: readonly string[]): Promise<ReadonlyMap<string, RemoteAnswer>> {
    const asked = points.slice(0, MAX_MOUNTS);
    for (const known of this.#asked.keys())
      if (!asked.includes(known) && this.#isIdle(known)) this.#asked.delete(known);
    const pending = asked.flatMap((point) => this.#start(point) ?? []);
    const patience =
      PATIENCE_MS - Math.min(...asked.map((point) => this.#now() - (this.#asked.get(point)?.askedAt ?? 0)));
    if (pending.length > 0 && patience > 0) await atMost(Promise.all(pending), patience);
    return new Map(asked.map((point) => [point, this.#answer(point)]));
  }

  #isIdle(point: string): boolean {
    const known = this.#asked.get(point);
    return known === undefined || (known.asking === undefined && this.#hanging(known).length === 0);
  }

  #hanging(asked: Asked): Asked["hanging"] {
    asked.hanging = asked.hanging.filter(({ pid, startTicks }) => this.#procfs.processes.isSame(pid, startTicks));
    return asked.hanging;
  }

  /** The question that is under way, if there is one to wait for. */
  #start(point: string): Promise<void> | undefined {
    const known = this.#asked.get(point) ?? { at: Number.NEGATIVE_INFINITY, askedAt: 0, hanging: [] };
    this.#asked.set(point, known);
    if (known.asking !== undefined) return known.asking;
    if (this.#hanging(known).length > 0 || this.#now() - known.at < FRESH_MS) return undefined;
    known.askedAt = this.#now();
    known.asking = this.#put(point, known).finally(() => delete known.asking);
    return known.asking;
  }

  async #put(point: string, known: Asked): Promise<void> {
    delete known.space;
    delete known.why;
    try {
      const result = await run(["stat", "-f", "-c", FORMAT, "--", point], {
        maxBytes: 4096,
        timeoutMs: ASK_MS,
        env: { LC_ALL: "C" },
      });
      known.hanging = (result.survivors ?? []).flatMap((pid) => {
        const life = this.#procfs.processes.lifeOf(pid);
        return life === undefined ? [] : [{ pid, startTicks: life.startTicks }];
      });
      if (result.ended !== "exit") return;
      const space = spaceIn(result.stdout.toString());
      if (space !== undefined) known.space = space;
      else known.why = result.stderr.toString().trim().split(": ").at(-1) ?? "";
    } catch (thrown) {
      known.why = thrown instanceof Error ? thrown.message : String(thrown);
    } finally {
      known.at = this.#now();
    }
  }

  #answer(point: string): RemoteAnswer {
    const { space, why, at } = this.#asked.get(point) ?? { at: 0 };
    if (space !== undefined) return { state: "known", space, ageMs: this.#now() - at };
    return why === undefined ? { state: "silent" } : { state: "refused", why };
  }
}

function spaceIn(text: string): Space | undefined {
  const [block, blocks, free, available, inodes, freeInodes] = text.trim().split(" ").map(Number);
  if (block === undefined || blocks === undefined || free === undefined || available === undefined) return undefined;
  if (inodes === undefined || freeInodes === undefined) return undefined;
  return spaceOf({ block, blocks, free, available, inodes, freeInodes });
}
