import { randomInt } from "node:crypto";
import { ManagedProcessNotFoundError, ProcessLimitError } from "@llmc/errors";
import type { InputWait } from "@llmc/procfs";
import type { Started } from "@llmc/te-run";
import type { Launch } from "@llmc/te-shell";
import type { Body, BodyEnd } from "./body.js";
import { ManagedProcess } from "./managed-process.js";
import { pipesBody } from "./pipes-body.js";
import { findTerminals, type Size, type Terminals } from "./terminal-body.js";

export interface ManagedLimits {
  /** Running ones of one owner. */
  readonly perOwner: number;
  readonly total: number;
  /** Without a call of their owner, and without output. */
  readonly idleMs: number;
}

export interface RegistryOptions {
  readonly limits: ManagedLimits;
  /** Tells whether a program waits for its input; undefined if the kernel does not tell. */
  readonly waitsForInput: (pid: number) => InputWait | undefined;
  /** For tests: what is installed is otherwise found by itself. */
  readonly terminals?: () => Promise<Terminals | null>;
}

export interface StartManaged {
  readonly owner: string;
  /** As it was asked for. */
  readonly command: string;
  /** Where it runs, as it was asked for. */
  readonly cwd: string;
  readonly launch: Launch;
  /** Where the launch has a terminal. */
  readonly size?: Size | undefined;
}

/** A command that ran on its own until now. */
export interface AdoptManaged {
  readonly owner: string;
  readonly command: string;
  readonly cwd: string;
  readonly launch: Launch;
  /** Nobody else reads its output any more. */
  readonly started: Started;
  /** What its caller was told already. */
  readonly printed: readonly Buffer[];
  /** It is ended then, as its caller asked. */
  readonly endsInMs?: number | undefined;
}

type Added = Pick<AdoptManaged, "owner" | "command" | "cwd" | "launch" | "printed">;

const RING = { headBytes: 64 * 1024, tailBytes: 1024 * 1024 };
/** Ended processes per owner whose output is kept. */
const ENDED_PER_OWNER = 16;
/** Ended processes per owner whose exit status is kept without output. */
const ENDS_PER_OWNER = 100;
const GRACE_MS = 500;
const LONGEST_LOOK_MS = 30_000;
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const ID_LENGTH = 6;

/** The processes that live on between calls, each with its owner. What it does not know is nobody's. */
export class ManagedProcesses {
  readonly #options: RegistryOptions;
  readonly #owners = new Map<string, Map<string, ManagedProcess>>();
  /** Exit status of forgotten processes, the oldest first. */
  readonly #ends = new Map<string, Map<string, BodyEnd>>();
  /** When an owner last called; infinite for one that is there as long as we are. */
  readonly #called = new Map<string, number>();
  /** Being started: two calls at once must not both take the last place. */
  readonly #starting = new Map<string, number>();
  #terminals: Promise<Terminals | null> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** Whether a terminal of ours can be around the program's own. */
  async hasTerminals(): Promise<boolean> {
    return (await this.#findTerminals()) !== null;
  }

  /** Throws where the owner, or all together, have as many as they may. To be asked before anything is prepared. */
  demandRoom(owner: string): void {
    const { perOwner, total } = this.#options.limits;
    const own = this.running(owner);
    if (own.length + (this.#starting.get(owner) ?? 0) >= perOwner)
      throw new ProcessLimitError(`this session has ${own.length}, and ${perOwner} are allowed`, {
        id: "end-own-process",
        ids: own.map(({ id }) => id),
      });
    const all = this.count;
    const starting = [...this.#starting.values()].reduce((sum, count) => sum + count, 0);
    if (all + starting >= total)
      throw new ProcessLimitError(`${total} are allowed in all`, { id: "wait-for-processes" });
  }

  /** Running processes of all owners. */
  get count(): number {
    return [...this.#owners.keys()].reduce((sum, owner) => sum + this.running(owner).length, 0);
  }

  async start({ owner, command, cwd, launch, size }: StartManaged): Promise<ManagedProcess> {
    this.demandRoom(owner);
    this.#starting.set(owner, (this.#starting.get(owner) ?? 0) + 1);
    try {
      const body = await this.#bodyOf(launch, size);
      const made = this.#add(body, { owner, command, cwd, launch, printed: [] });
      if (size !== undefined) made.drawnAt(size);
      return made;
    } catch (thrown) {
      await launch.release();
      throw thrown;
    } finally {
      const left = (this.#starting.get(owner) ?? 1) - 1;
      if (left === 0) this.#starting.delete(owner);
      else this.#starting.set(owner, left);
    }
  }

  /** Takes over a running command, whose further output goes to the readers of this process. */
  adopt({ owner, command, cwd, launch, started, printed, endsInMs }: AdoptManaged): ManagedProcess {
    this.demandRoom(owner);
    const made = this.#add(pipesBody(launch, started), { owner, command, cwd, launch, printed });
    if (endsInMs === undefined) return made;
    const timer = setTimeout(() => void made.stop(GRACE_MS), endsInMs).unref();
    void made.ended.then(() => clearTimeout(timer));
    return made;
  }

  find(owner: string, id: string): ManagedProcess | undefined {
    return this.#owners.get(owner)?.get(id);
  }

  demand(owner: string, id: string): ManagedProcess {
    const found = this.find(owner, id);
    if (found === undefined) throw new ManagedProcessNotFoundError(id);
    return found;
  }

  /** Returns the exit status of a forgotten process. */
  endOf(owner: string, id: string): BodyEnd | undefined {
    return this.#ends.get(owner)?.get(id);
  }

  list(owner: string): readonly ManagedProcess[] {
    return [...(this.#owners.get(owner)?.values() ?? [])];
  }

  running(owner: string): readonly ManagedProcess[] {
    return this.list(owner).filter(({ state }) => state === "running");
  }

  remove(owner: string, id: string): void {
    const own = this.#owners.get(owner);
    this.#noteEnd(owner, own?.get(id));
    own?.delete(id);
    if (own?.size === 0) this.#owners.delete(owner);
    if (this.#owners.size > 0) return;
    clearInterval(this.#idle);
    this.#idle = undefined;
  }

  /** The owner has called; `isAttached`: he is there as long as we are. */
  called(owner: string, isAttached: boolean): void {
    // Who is attached may start his first one with this very call; of others, those without a process are not kept.
    if (isAttached) this.#called.set(owner, Number.POSITIVE_INFINITY);
    else if (this.#owners.has(owner)) this.#called.set(owner, Date.now());
  }

  /** The owner is gone. */
  async endOwner(owner: string): Promise<void> {
    const own = this.list(owner);
    this.#owners.delete(owner);
    this.#ends.delete(owner);
    this.#called.delete(owner);
    await Promise.all(own.map((each) => each.stop(GRACE_MS)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#idle);
    await Promise.all([...this.#owners.keys()].map((owner) => this.endOwner(owner)));
  }

  #add(body: Body, { owner, command, cwd, launch, printed }: Added): ManagedProcess {
    const { waitsForInput, limits } = this.#options;
    const own = this.#owners.get(owner) ?? new Map<string, ManagedProcess>();
    const made = new ManagedProcess(body, {
      id: freshId(own),
      command,
      program: programOf(launch.argv),
      cwd,
      ring: RING,
      waitsForInput,
      printed,
    });
    own.set(made.id, made);
    this.#owners.set(owner, own);
    this.#forgetOldest(owner);
    this.#called.set(owner, this.#called.get(owner) ?? Date.now());
    this.#idle ??= setInterval(() => this.#endIdle(), Math.min(LONGEST_LOOK_MS, limits.idleMs / 4)).unref();
    // It began while we ended: nobody else would end it.
    if (this.#isClosed) void made.stop(0);
    return made;
  }

  #forgetOldest(owner: string): void {
    const ended = this.list(owner).filter(({ state }) => state === "exited");
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_PER_OWNER))) this.remove(owner, id);
  }

  #noteEnd(owner: string, process: ManagedProcess | undefined): void {
    if (process?.end === undefined) return;
    const ends = this.#ends.get(owner) ?? new Map<string, BodyEnd>();
    this.#ends.set(owner, ends.set(process.id, process.end));
    const [oldest] = ends.keys();
    if (ends.size > ENDS_PER_OWNER && oldest !== undefined) ends.delete(oldest);
  }

  /** Ends what nobody used for so long, and forgets what ended so long ago. */
  #endIdle(): void {
    const since = Date.now() - this.#options.limits.idleMs;
    for (const [owner, own] of this.#owners) {
      const isCalling = (this.#called.get(owner) ?? 0) > since;
      for (const each of own.values()) {
        if (each.lastActivityAt > since) continue;
        if (each.state === "exited") this.remove(owner, each.id);
        else if (!isCalling) void each.stop(GRACE_MS);
      }
    }
  }

  async #bodyOf(launch: Launch, size: Size | undefined): Promise<Body> {
    const terminals = size === undefined ? null : await this.#findTerminals();
    if (size !== undefined && terminals !== null) return terminals.start(launch, size);
    return pipesBody(launch, await launch.start({ stdin: "pipe", isOneStream: true }), size !== undefined);
  }

  #findTerminals(): Promise<Terminals | null> {
    const find = this.#options.terminals ?? findTerminals;
    return (this.#terminals ??= find());
  }
}

/** A shell that was given its commands says nothing of its own. */
function programOf([program, ...args]: Launch["argv"]): string {
  return args.includes("-c") ? "" : program;
}

function freshId(taken: ReadonlyMap<string, unknown>): string {
  for (;;) {
    const letters = Array.from({ length: ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
    const id = `p_${letters.join("")}`;
    if (!taken.has(id)) return id;
  }
}
