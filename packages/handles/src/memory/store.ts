import { HandleExpiredError, HandleNotFoundError } from "@llmc/errors";
import { isDue, isOver, MAX_TOMBSTONES, type Bounds } from "../handle/bounds.js";
import type { MemoryAccess } from "../database/backends.js";
import type {
  Handle,
  HandleInput,
  HandleMeta,
  HandlePage,
  HandleSlice,
  HandleSource,
  HandleStore,
  Swept,
} from "../handle/handle.js";
import { checkId, createId, isShortName, shortName } from "../handle/id.js";
import { checkPage, checkSlice, metaToJson, settledKey, sha256, sourceKey } from "../handle/input.js";

interface Entry {
  readonly owner: string;
  readonly handle: Omit<Handle, "expiresAt" | "meta">;
  readonly metaJson: string;
  readonly payload: Buffer;
  source: string | null;
  expiresAt: number;
}

/** The same store without a disk: what it keeps is gone when the process ends. */
export class MemoryHandleStore implements HandleStore {
  readonly #access: MemoryAccess;
  readonly #bounds: Bounds;
  readonly #now: () => number;
  /** In the order of their last touch, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #bySource = new Map<string, Entry>();
  /** Ids of live and gone handles by owner and short name. */
  readonly #byShort = new Map<string, string>();
  /** The owners of what is gone, in the order it went. */
  readonly #tombstones = new Map<string, string>();
  #bytes = 0;

  constructor(access: MemoryAccess, bounds: Bounds, now: () => number) {
    this.#access = access;
    this.#bounds = bounds;
    this.#now = now;
  }

  async create({ owner, type, meta, payload, source, signal }: HandleInput): Promise<Handle | null> {
    if (payload.length > this.#bounds.maxPayload) return null;
    const metaJson = metaToJson(meta);
    const hash = await sha256(payload);
    const now = this.#now();
    const id = this.#freeId(owner, type, now);
    const handle = { id, type, createdAt: new Date(now).toISOString(), size: payload.length, sha256: hash };
    const expiresAt = now + this.#bounds.maxAgeMs;
    const key = settledKey(source);
    this.#access.check(signal);
    const known = key === null ? undefined : this.#bySource.get(indexKey(owner, key));
    if (known !== undefined && isSame(known, handle, now)) return toHandle(this.#renew(known, now));
    const entry = { owner, handle, metaJson, payload: Buffer.from(payload), source: key, expiresAt };
    return toHandle(this.#add(entry, known, now));
  }

  async findBySource(owner: string, source: Omit<HandleSource, "readAtMs">): Promise<Handle | null> {
    this.#access.check();
    const entry = this.#bySource.get(indexKey(owner, sourceKey(source)));
    const now = this.#now();
    if (entry === undefined || entry.expiresAt <= now) return null;
    return toHandle(isDue(this.#bounds, entry.expiresAt, now) ? this.#renew(entry, now) : entry);
  }

  async get(owner: string, id: string): Promise<Handle> {
    this.#access.check();
    return toHandle(this.#live(owner, id));
  }

  async readSlice(owner: string, id: string, offset: number, limit: number): Promise<HandleSlice> {
    checkSlice(offset, limit);
    this.#access.check();
    const entry = this.#live(owner, id);
    const data = Buffer.from(entry.payload.subarray(offset, offset + limit));
    return { data, offset, totalBytes: entry.payload.length, handle: toHandle(entry) };
  }

  async delete(owner: string, id: string): Promise<boolean> {
    this.#access.check();
    const entry = this.#entries.get(this.#idOf(owner, id));
    if (entry?.owner !== owner) return false;
    this.#remove(entry);
    this.#loseShort(owner, entry.handle.id);
    return true;
  }

  async list(owner: string, page: HandlePage): Promise<readonly Handle[]> {
    checkPage(page);
    this.#access.check();
    const { limit, before } = page;
    const now = this.#now();
    return [...this.#entries.values()]
      .filter((entry) => entry.owner === owner && entry.expiresAt > now)
      .map(toHandle)
      .toSorted(newestFirst)
      .filter((handle) => before === undefined || newestFirst(before, handle) < 0)
      .slice(0, limit);
  }

  async sweep(): Promise<Swept> {
    this.#access.check();
    return { expired: this.#expire(this.#now()), evicted: this.#evict(null) };
  }

  async close(): Promise<void> {
    // Nothing runs in the background here.
  }

  #add(entry: Entry, replaced: Entry | undefined, now: number): Entry {
    if (replaced !== undefined) this.#loseSource(replaced);
    this.#expire(now);
    this.#evict(entry.payload.length);
    this.#entries.set(entry.handle.id, entry);
    this.#byShort.set(indexKey(entry.owner, shortName(entry.handle.id)), entry.handle.id);
    this.#bytes += entry.payload.length;
    if (entry.source !== null) this.#bySource.set(indexKey(entry.owner, entry.source), entry);
    return entry;
  }

  #renew(entry: Entry, now: number): Entry {
    entry.expiresAt = now + this.#bounds.maxAgeMs;
    this.#entries.delete(entry.handle.id);
    this.#entries.set(entry.handle.id, entry);
    return entry;
  }

  /** Draws ids until the short name is free among the owner's handles. */
  #freeId(owner: string, type: string, now: number): string {
    for (;;) {
      const id = createId(type, new Date(now));
      if (!this.#entries.has(this.#idOf(owner, shortName(id)))) return id;
    }
  }

  /** Returns the full id for a short name, and any other text unchanged. */
  #idOf(owner: string, id: string): string {
    return isShortName(id) ? (this.#byShort.get(indexKey(owner, id)) ?? id) : id;
  }

  #live(owner: string, given: string): Entry {
    checkId(given);
    const id = this.#idOf(owner, given);
    const entry = this.#entries.get(id);
    const isMine = entry?.owner === owner;
    if (isMine && entry.expiresAt > this.#now()) return entry;
    if (isMine || this.#tombstones.get(id) === owner) throw new HandleExpiredError(id);
    throw new HandleNotFoundError(given);
  }

  #expire(now: number): number {
    let expired = 0;
    // The order of their last touch is the order in which they age out.
    for (const entry of this.#entries.values()) {
      if (entry.expiresAt > now) break;
      this.#bury(entry);
      expired += 1;
    }
    return expired;
  }

  #evict(more: number | null): number {
    let evicted = 0;
    for (const entry of this.#entries.values()) {
      if (!isOver(this.#bounds, { handles: this.#entries.size, bytes: this.#bytes }, more)) break;
      this.#bury(entry);
      evicted += 1;
    }
    return evicted;
  }

  #bury(entry: Entry): void {
    this.#remove(entry);
    this.#tombstones.set(entry.handle.id, entry.owner);
    const [oldest] = this.#tombstones.keys();
    if (this.#tombstones.size <= MAX_TOMBSTONES || oldest === undefined) return;
    this.#loseShort(this.#tombstones.get(oldest) ?? "", oldest);
    this.#tombstones.delete(oldest);
  }

  #remove(entry: Entry): void {
    this.#loseSource(entry);
    if (this.#entries.delete(entry.handle.id)) this.#bytes -= entry.payload.length;
  }

  /** Forgets the short name, unless a newer handle has taken it. */
  #loseShort(owner: string, id: string): void {
    const key = indexKey(owner, shortName(id));
    if (this.#byShort.get(key) === id) this.#byShort.delete(key);
  }

  #loseSource(entry: Entry): void {
    if (entry.source !== null) this.#bySource.delete(indexKey(entry.owner, entry.source));
    entry.source = null;
  }
}

function indexKey(owner: string, source: string): string {
  return `${source} ${owner}`;
}

function isSame(known: Entry, { type, sha256: hash }: Entry["handle"], now: number): boolean {
  return known.expiresAt > now && known.handle.sha256 === hash && known.handle.type === type;
}

type Place = Pick<Handle, "createdAt" | "id">;

function newestFirst(left: Place, right: Place): number {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? 1 : -1;
  if (left.id === right.id) return 0;
  return left.id < right.id ? 1 : -1;
}

function toHandle({ handle, expiresAt, metaJson }: Entry): Handle {
  const { id, type, createdAt, size, sha256: hash } = handle;
  const meta = JSON.parse(metaJson) as HandleMeta;
  return { id, type, createdAt, expiresAt: new Date(expiresAt).toISOString(), size, sha256: hash, meta };
}
