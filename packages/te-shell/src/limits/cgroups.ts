import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readStat } from "@llmc/te-run";
import { doServe, type Limits, type Meter } from "./meter.js";

const PREFIX = "llmc-";

/** Where groups of our own can be made: in version 2 one folder for both limits, in version 1 one for each. */
interface Ground {
  readonly pids: string;
  readonly memory: string;
  readonly version: 1 | 2;
}

export interface CgroupPlaces {
  /** Where the groups of this process are told. */
  readonly own: string;
  /** Where groups are mounted. */
  readonly root: string;
}

const PLACES: CgroupPlaces = { own: "/proc/self/cgroup", root: "/sys/fs/cgroup" };

/** One for processes and one for memory; in version 2 they are one. */
interface Group {
  readonly folders: readonly string[];
  readonly limits: Limits;
}

/** How often each bound was met in a group's life. */
interface Counts {
  readonly memory: number;
  readonly processes: number;
}

const NEVER: Counts = { memory: 0, processes: 0 };

/** Making a group takes ten times as long as a look whether the last one can be used again. */
const MOST_SPARE = 2;
/** What stays of a command (its files in a tmpfs, its dead that nobody has waited for) would count against the next one. */
const CLEAN_SHARE = 0.02;

/** Groups that the kernel holds to their limits; undefined where we may make none. */
export class Cgroups {
  readonly #ground: Ground;
  readonly #spare: Group[] = [];
  readonly #removals = new Set<Promise<void>>();
  /** Of those somebody lives in: what a command without a sandbox has left running. */
  readonly #inhabited: (readonly string[])[] = [];

  private constructor(searchRoot: Ground) {
    this.#ground = searchRoot;
  }

  static find(places: CgroupPlaces = PLACES): Cgroups | undefined {
    const searchRoot = findGround(places);
    if (searchRoot === undefined) return undefined;
    const cgroups = new Cgroups(searchRoot);
    try {
      // Tried out: a folder that can be made may still refuse limits.
      cgroups.#discard(cgroups.#make({ maxPids: 16, maxMemoryBytes: 64 * 1024 * 1024 }));
      return cgroups;
    } catch {
      return undefined;
    }
  }

  open(limits: Limits): Meter {
    const used = this.#reuse(limits);
    const group = used ?? { folders: this.#make(limits), limits };
    const { folders } = group;
    const before = used === undefined ? NEVER : this.#counts(folders);
    return {
      joins: folders.map((folder) => join(folder, "cgroup.procs")),
      // The kernel counts and ends by itself.
      watch: () => undefined,
      hit: () => {
        const { memory, processes } = this.#counts(folders);
        if (memory > before.memory) return "memory";
        return processes > before.processes ? "processes" : undefined;
      },
      close: async () => {
        if (this.#spare.length < MOST_SPARE) this.#spare.push(group);
        else this.#remove(folders);
      },
    };
  }

  /** The groups of what has ended are gone, and with them what it has left running: nobody of ours comes after it. */
  async close(): Promise<void> {
    for (const { folders } of this.#spare.splice(0)) this.#remove(folders);
    await Promise.all(this.#removals);
    const inhabited = this.#inhabited.splice(0);
    for (const folder of inhabited.flat()) endMembers(folder);
    await Promise.all(inhabited.map((folders) => removeAll(folders)));
  }

  /** One that was left, and left clean. */
  #reuse(limits: Limits): Group | undefined {
    for (let group = this.#spare.shift(); group !== undefined; group = this.#spare.shift()) {
      if (doServe(group.limits, limits) && this.#isClean(group)) return group;
      this.#remove(group.folders);
    }
    return undefined;
  }

  #isClean({ folders, limits }: Group): boolean {
    const used = this.#ground.version === 2 ? "memory.current" : "memory.usage_in_bytes";
    try {
      const [pids = "", memory = pids] = folders;
      // Whatever is in one of the two is in the other.
      if (readFileSync(join(pids, "cgroup.procs"), "latin1") !== "") return false;
      return (
        figureIn(join(pids, "pids.current")) <= limits.maxPids * CLEAN_SHARE &&
        figureIn(join(memory, used)) <= limits.maxMemoryBytes * CLEAN_SHARE
      );
    } catch {
      return false;
    }
  }

  /** The kernel lets go of a group a moment after its last process: nobody waits for that but the end. */
  #remove(folders: readonly string[]): void {
    const removal = this.#tryToRemove(folders).finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  /** With the oldest of those that could not go: else they would be more and more. */
  async #tryToRemove(folders: readonly string[]): Promise<void> {
    for (const each of [folders, ...this.#inhabited.splice(0, 1)]) {
      if (!(await removeAll(each))) this.#inhabited.push(each);
    }
  }

  /** Groups that killed servers have left. */
  sweep(): void {
    for (const parent of new Set([this.#ground.pids, this.#ground.memory])) {
      for (const name of readdirSync(parent)) {
        const [pid, start, space] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split(".").map(Number) : [];
        if (pid === undefined || start === undefined || readStat(pid)?.start === start) continue;
        // Of a server that we could not see from here nothing is known.
        if (space === pidSpace()) endMembers(join(parent, name));
        this.#discard([join(parent, name)]);
      }
    }
  }

  #make({ maxPids, maxMemoryBytes }: Limits): readonly string[] {
    const { pids, memory, version } = this.#ground;
    const owner = [process.pid, readStat(process.pid)?.start ?? 0, pidSpace() ?? 0].join(".");
    const name = `${PREFIX}${owner}.${randomBytes(6).toString("hex")}`;
    const folders = [...new Set([pids, memory])].map((parent) => join(parent, name));
    const made: string[] = [];
    try {
      for (const folder of folders) {
        mkdirSync(folder);
        made.push(folder);
      }
      writeFileSync(join(pids, name, "pids.max"), `${maxPids}`);
      writeFileSync(join(memory, name, version === 2 ? "memory.max" : "memory.limit_in_bytes"), `${maxMemoryBytes}`);
      // What is over the limit would go to the swap, and the machine with it.
      if (version === 2) writeIfThere(join(memory, name, "memory.swap.max"), "0");
      else writeIfThere(join(memory, name, "memory.memsw.limit_in_bytes"), `${maxMemoryBytes}`);
      return made;
    } catch (thrown) {
      this.#discard(made);
      throw thrown;
    }
  }

  #discard(folders: readonly string[]): void {
    for (const folder of folders) {
      try {
        rmdirSync(folder);
      } catch {
        // Somebody lives in it: the next sweep.
      }
    }
  }

  #counts(folders: readonly string[]): Counts {
    const [pids = "", memory = pids] = folders;
    const told = this.#ground.version === 2 ? "memory.events" : "memory.oom_control";
    return {
      memory: countIn(join(memory, told), /^oom_kill (\d+)/m),
      processes: countIn(join(pids, "pids.events"), /^max (\d+)/m),
    };
  }
}

/** In which process numbers mean what they mean to us. */
function pidSpace(): number | undefined {
  try {
    return Number(/\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0]);
  } catch {
    return undefined;
  }
}

/** Of a server that is gone, or goes: its commands should have gone before it. */
function endMembers(folder: string): void {
  const pids = text(join(folder, "cgroup.procs")).split("\n").map(Number);
  // 0 stands for one that cannot be seen from here; to signal that would be to signal ourselves.
  for (const pid of pids.filter((each) => each > 1 && each !== process.pid)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It was faster.
    }
  }
}

function figureIn(file: string): number {
  return Number(readFileSync(file, "latin1"));
}

function countIn(file: string, pattern: RegExp): number {
  return Number(pattern.exec(text(file))?.[1] ?? 0);
}

function findGround({ own, root }: CgroupPlaces): Ground | undefined {
  const lines = text(own).trim().split("\n");
  const pathOf = (wanted: (controllers: string) => boolean): string | undefined => {
    const line = lines.find((each) => wanted(each.split(":")[1] ?? ""));
    return line?.split(":").slice(2).join(":");
  };
  const unified = pathOf((controllers) => controllers === "");
  const two = unified === undefined ? undefined : join(root, unified);
  if (two !== undefined && handsOn(two)) return { pids: two, memory: two, version: 2 };
  const [pids, memory] = ["pids", "memory"].map((name) => {
    const path = pathOf((controllers) => controllers.split(",").includes(name));
    return path === undefined ? undefined : firstWritable([join(root, name, path), join(root, name)]);
  });
  return pids === undefined || memory === undefined ? undefined : { pids, memory, version: 1 };
}

/** In version 2 a group hands controllers on only while no process is in it, the top one excepted. */
function handsOn(folder: string): boolean {
  const given = text(join(folder, "cgroup.subtree_control")).trim().split(" ");
  return given.includes("pids") && given.includes("memory") && firstWritable([folder]) !== undefined;
}

/** A container's own view of the paths may differ from ours: then its top is what we have. */
function firstWritable(folders: readonly string[]): string | undefined {
  return folders.find((folder) => {
    try {
      accessSync(folder, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** False while somebody lives in them. */
async function removeAll(folders: readonly string[]): Promise<boolean> {
  for (let pause = 1; pause <= 64; pause *= 2) {
    const left = await Promise.all(
      folders.map((folder) =>
        rmdir(folder).then(
          () => false,
          (thrown: unknown) => isBusy(thrown),
        ),
      ),
    );
    if (!left.includes(true)) return true;
    await sleep(pause);
  }
  return false;
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "EBUSY";
}

function writeIfThere(file: string, value: string): void {
  try {
    writeFileSync(file, value, { flag: "r+" });
  } catch {
    // The kernel was built without it.
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
