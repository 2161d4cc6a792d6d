import {
  eachListed,
  Descent,
  hasCode,
  kindOf,
  type Entered,
  type FolderPath,
  type Found,
  type Listed,
  type Looked,
  lstatMany,
  type OpenScope,
  roomOf,
  type Stat,
  type Work,
} from "@llmc/te-path";
import { type Bytes, displayPath, join } from "@llmc/names";
import { walkToFolder } from "./list-folder.js";
import type { EntryType } from "./listing.js";
import { isSeen, reasonOf, typeOf } from "./look.js";

export interface UsageOptions {
  /** Base of a relative path; the first root by default. */
  readonly cwd?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Levels with rows, where 0 means only the folder's own entries. Deeper entries count for the folders above them. */
  readonly depth: number;
  readonly maxRows: number;
  /** Time after which no more folders are counted. */
  readonly maxMs: number;
}

export interface UsageRow {
  /** Absolute path, with the caller's spelling of the folder. */
  readonly path: string;
  readonly type: EntryType;
  /** Disk usage of a file, or of a folder with everything below it. Hard links of a file count once. */
  readonly bytes: number;
  /** Length of a file's content. */
  readonly size?: number | undefined;
  readonly mtimeMs?: number | undefined;
  /** Reason why the entry is not counted completely. */
  readonly problem?: string | undefined;
}

export interface Usage {
  readonly path: string;
  /** Disk usage of the folder with everything below it. */
  readonly bytes: number;
  /** Counted entries below the folder. */
  readonly entries: number;
  /** Largest rows, the largest first. */
  readonly rows: readonly UsageRow[];
  /** Entries within the depth, also those not in `rows`. */
  readonly found: number;
  /** Folders not counted because time was up; then all sums are too low. */
  readonly notEntered: number;
  /** Folders and entries not counted because they could not be read. */
  readonly unread: number;
}

const FOREIGN = "another file system";
/** Milliseconds of work between yields to the event loop. */
const TURN_MS = 5;

export async function measureUsage(scope: OpenScope, path: string, options: UsageOptions): Promise<Usage> {
  const asked = scope.requested(path, options.cwd);
  const found = await scope.run(walkToFolder(scope, asked), asked.shown, options.signal);
  const walk = new UsageWalk(scope, asked.shown, found, options);
  try {
    return await walk.measure();
  } finally {
    await walk.end();
  }
}

/** Folder whose sum is being counted. */
interface Branch extends FolderPath {
  readonly above: Branch | undefined;
  readonly mtimeMs: number | undefined;
  bytes: number;
  problem?: string;
}

class UsageWalk {
  readonly #scope: OpenScope;
  readonly #options: UsageOptions;
  readonly #descent: Descent;
  readonly #top: Branch;
  readonly #dev: bigint;
  readonly #closed: ReadonlyMap<Bytes, ReadonlySet<Bytes>>;
  /** Stack of folders to enter. */
  readonly #left: Branch[];
  /** Folders with a row. */
  readonly #branches: Branch[] = [];
  readonly #leaves: LargestRows;
  /** Counted files that have hard links. */
  readonly #counted = new Set<string>();
  readonly #deadline: number;
  #entries = 0;
  #found = 0;
  #notEntered = 0;
  #unread = 0;

  constructor(scope: OpenScope, path: string, { entry, stat, real }: Found, options: UsageOptions) {
    this.#scope = scope;
    this.#options = options;
    this.#top = { above: undefined, name: ".", real, path, depth: 0, bytes: roomOf(stat), mtimeMs: undefined };
    this.#descent = new Descent(scope, this.#top, entry, stat);
    this.#dev = stat.dev;
    this.#closed = scope.forbidden.hiddenBelow(real, scope.roots);
    this.#left = [this.#top];
    this.#leaves = new LargestRows(options.maxRows);
    this.#deadline = performance.now() + options.maxMs;
  }

  async measure(): Promise<Usage> {
    let turn = performance.now() + TURN_MS;
    for (let folder = this.#left.pop(); folder !== undefined; folder = this.#left.pop()) {
      if (folder !== this.#top && this.#isLate()) {
        this.#notEntered += this.#left.length + 1;
        break;
      }
      await this.#visit(folder);
      if (performance.now() < turn) continue;
      await new Promise((resolve) => setImmediate(resolve));
      turn = performance.now() + TURN_MS;
    }
    const rows = new LargestRows(this.#options.maxRows);
    for (const { path, bytes, mtimeMs, problem } of this.#branches)
      rows.offer({ path, type: "dir", bytes, mtimeMs, problem });
    for (const row of this.#leaves.rows) rows.offer(row);
    return {
      path: this.#top.path,
      bytes: this.#top.bytes,
      entries: this.#entries,
      rows: rows.rows,
      found: this.#found,
      notEntered: this.#notEntered,
      unread: this.#unread,
    };
  }

  async end(): Promise<void> {
    await this.#scope.run(this.#descent.end(), "").catch(() => {});
  }

  #isLate(): boolean {
    return performance.now() > this.#deadline;
  }

  async #visit(folder: Branch): Promise<void> {
    try {
      await this.#scope.run(this.#measure(folder), folder.path, this.#options.signal);
    } catch (thrown) {
      if (folder.above === undefined || this.#options.signal?.aborted === true) throw thrown;
      folder.problem = reasonOf(thrown);
      this.#unread += 1;
    }
  }

  *#measure(folder: Branch): Work<void> {
    try {
      yield* this.#addContents(folder, yield* this.#descent.enter(folder));
    } catch (thrown) {
      // Ignores a folder that is gone or no longer a folder.
      if (folder.above === undefined || !hasCode(thrown, "ENOENT", "ENOTDIR", "ELOOP")) throw thrown;
    }
  }

  *#addContents(folder: Branch, held: Entered): Work<void> {
    const closed = this.#closed.get(folder.real);
    const points = this.#scope.mounts.networkIn(folder.real);
    const take = (some: readonly Listed[]): Work<void> => {
      const names = some.map(({ name }) => name).filter((name) => closed?.has(name) !== true);
      for (const name of names) if (points.has(name)) this.#addForeign(folder, name);
      return this.#addAll(
        folder,
        held,
        names.filter((name) => !points.has(name)),
      );
    };
    let isCut = false;
    const isLate = (): boolean => this.#isLate();
    yield* eachListed(held.folder, function* (some) {
      if (isLate()) isCut = true;
      else yield* take(some);
    });
    if (isCut) this.#notEntered += 1;
  }

  *#addAll(folder: Branch, { folder: descriptor }: Entered, names: readonly Bytes[]): Work<void> {
    const found = yield* lstatMany(descriptor, names);
    const stats = found.flatMap((each) => (isSeen(each) ? [each.stat] : []));
    const ours = yield* this.#scope.forbidden.oursAmong(stats, descriptor.mount);
    for (const [nth, each] of found.entries()) {
      const name = names[nth] as Bytes;
      if (each === undefined) continue;
      if (!isSeen(each)) this.#unread += 1;
      else if (each.stat.dev !== this.#dev) this.#addForeign(folder, name);
      else if (!ours.has(each.stat)) this.#add(folder, name, each);
    }
  }

  #add(folder: Branch, name: Bytes, { stat }: Looked): void {
    const bytes = this.#roomOf(stat);
    for (let at: Branch | undefined = folder; at !== undefined; at = at.above) at.bytes += bytes;
    this.#entries += 1;
    const hasRow = this.#hasRow(folder);
    const type = typeOf(stat);
    const mtimeMs = Number(stat.mtimeNs / 1_000_000n);
    if (type === "dir") {
      const branch = branchIn(folder, name, { bytes, mtimeMs });
      this.#left.push(branch);
      if (hasRow) this.#branches.push(branch);
    } else if (hasRow) {
      const size = type === "file" ? Number(stat.size) : undefined;
      this.#leaves.offer({ path: join(folder.path, displayPath(name)), type, bytes, size, mtimeMs });
    }
  }

  /** Adds a row for a mount point, which is not counted. */
  #addForeign(folder: Branch, name: Bytes): void {
    if (this.#hasRow(folder))
      this.#branches.push({ ...branchIn(folder, name, { bytes: 0, mtimeMs: undefined }), problem: FOREIGN });
  }

  #hasRow(folder: Branch): boolean {
    if (folder.depth > this.#options.depth) return false;
    this.#found += 1;
    return true;
  }

  #roomOf(stat: Stat): number {
    if (stat.nlink > 1n && kindOf(stat) !== "folder") {
      const { size } = this.#counted;
      if (this.#counted.add(String(stat.ino)).size === size) return 0;
    }
    return roomOf(stat);
  }
}

function branchIn(above: Branch, name: Bytes, facts: Pick<Branch, "bytes" | "mtimeMs">): Branch {
  const { real, path, depth } = above;
  return {
    above,
    name,
    real: join(real, name),
    path: join(path, displayPath(name)),
    depth: depth + 1,
    ...facts,
  };
}

/** Keeps the largest of many rows. */
class LargestRows {
  readonly #most: number;
  #rows: UsageRow[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  offer(row: UsageRow): void {
    this.#rows.push(row);
    if (this.#rows.length > 2 * this.#most) this.#cut();
  }

  /** Returns the largest rows, the largest first. */
  get rows(): readonly UsageRow[] {
    this.#cut();
    return this.#rows;
  }

  #cut(): void {
    this.#rows = this.#rows.sort(largestFirst).slice(0, this.#most);
  }
}

function largestFirst(a: UsageRow, b: UsageRow): number {
  return b.bytes - a.bytes || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}
