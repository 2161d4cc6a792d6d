import type { Work, Syscall } from "../../../te-path/src/kernel/syscalls.js";
import { remove, take, type LockSite } from "../../src/locks/lock-file.js";

const LOCK = "lock";

/** A folder in memory with as many processes as one likes, each of which makes its system calls one at a time. */
export class LockWorld {
  /** Which inode has a name; the inode of an owner's file is the number of its process. */
  readonly names = new Map<string, number>();
  readonly processes: SimulatedProcess[] = [];

  add(rounds: number): SimulatedProcess {
    const process = new SimulatedProcess(this, this.processes.length, rounds);
    this.processes.push(process);
    return process;
  }

  get inside(): readonly SimulatedProcess[] {
    return this.processes.filter(({ isAlive, isInside }) => isAlive && isInside);
  }
}

export class SimulatedProcess {
  isAlive = true;
  isInside = false;
  isDone = false;
  readonly #world: LockWorld;
  readonly #open = new Map<number, number>();
  readonly #work: Work<void>;
  #next: IteratorResult<Syscall, void> | undefined;

  constructor(world: LockWorld, id: number, rounds: number) {
    this.#world = world;
    const site: LockSite = {
      folder: "",
      owner: { path: `owner ${id}`, dev: 1n, ino: BigInt(id) },
      fateOf: (_name, text) => (world.processes[Number(text)]?.isAlive === true ? "alive" : "dead"),
    };
    this.#work = this.#rounds(site, rounds);
  }

  /** One system call, and what the process does up to its next one. */
  step(): void {
    if (!this.isAlive || this.isDone) return;
    if (this.#next === undefined) this.#next = this.#work.next();
    else this.#next = this.#answer(this.#next.value as Syscall);
    if (this.#next.done === true) this.isDone = true;
  }

  #answer(call: Syscall): IteratorResult<Syscall, void> {
    let value: unknown;
    try {
      value = this.#perform(call);
    } catch (thrown) {
      return this.#work.throw(thrown);
    }
    return this.#work.next(value);
  }

  *#rounds(site: LockSite, rounds: number): Work<void> {
    for (let round = 0; round < rounds; round++) {
      while (!(yield* take(site, LOCK)));
      this.isInside = true;
      // Something to do while it has the lock.
      for (let turn = 0; turn < 3; turn++) yield { mount: null, name: "statfs", args: [] };
      this.isInside = false;
      yield* remove(site.folder, LOCK);
    }
  }

  #perform({ name, args, into }: Syscall): unknown {
    const { names } = this.#world;
    const [first, second] = args.map(String) as [string, string];
    switch (name) {
      case "link":
        if (names.has(second)) throw failure("EEXIST");
        return void names.set(second, Number(first.split(" ")[1]));
      case "unlink":
        if (!names.delete(first)) throw failure("ENOENT");
        return undefined;
      case "open":
        if (!names.has(first)) throw failure("ENOENT");
        this.#open.set(this.#open.size, names.get(first) as number);
        return this.#open.size - 1;
      case "fstat":
        return { dev: 1n, ino: BigInt(this.#open.get(Number(first)) as number) };
      case "read":
        return args[2] === 0 ? Buffer.from(String(this.#open.get(Number(first)))).copy(into as Uint8Array) : 0;
      default:
        return undefined;
    }
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
