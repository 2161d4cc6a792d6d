import { setImmediate as nextTurn } from "node:timers/promises";
import { HandleExpiredError, HandleNotFoundError, OpsError } from "@llmc/errors";
import { BLOCK_BYTES, blocksOf, split, unpack, type Block } from "./blocks.js";
import { isDue, type Bounds } from "../handle/bounds.js";
import { Compressor } from "./compressor.js";
import type { SqliteAccess } from "../database/backends.js";
import { FoundLately } from "./found-lately.js";
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
import { checkId, createId, isId, shortName } from "../handle/id.js";
import { checkPage, checkSlice, metaToJson, settledKey, sha256, sourceKey } from "../handle/input.js";
import { ormOf, type Orm } from "../sqlite/orm.js";
import { prepareQueries, type HandleRow, type Queries } from "./queries.js";
import { Room } from "./room.js";
import { MODULE, STEPS } from "./schema.js";

export interface StoreParts {
  readonly bounds: Bounds;
  readonly now: () => number;
  /** How long after an insert its payload is compressed. */
  readonly compressAfterMs: number;
}

export async function openSqliteStore(access: SqliteAccess, parts: StoreParts): Promise<SqliteHandleStore> {
  await access.migrate(MODULE, STEPS);
  const store = new SqliteHandleStore(access, parts);
  await store.nameAll();
  return store;
}

const NAMED_AT_ONCE = 500;

interface NewHandle {
  readonly row: Omit<HandleRow, "id">;
  readonly source: string | null;
  readonly blocks: readonly [Buffer, ...Buffer[]];
}

export class SqliteHandleStore implements HandleStore {
  readonly #access: SqliteAccess;
  readonly #orm: Orm;
  readonly #bounds: Bounds;
  readonly #now: () => number;
  readonly #queries: Queries;
  readonly #room: Room;
  readonly #found = new FoundLately();
  /** For tests, which wait for it. */
  readonly compressor: Compressor;

  constructor(access: SqliteAccess, { bounds, now, compressAfterMs }: StoreParts) {
    this.#access = access;
    this.#orm = ormOf(access);
    this.#bounds = bounds;
    this.#now = now;
    this.#queries = prepareQueries(this.#orm);
    this.#room = new Room(this.#queries, bounds);
    this.compressor = new Compressor(access, this.#queries, compressAfterMs);
  }

  /** Gives a short name to each handle stored by a version without short names. */
  async nameAll(): Promise<void> {
    const unnamed = () => this.#queries.withoutShort.all({ limit: NAMED_AT_ONCE });
    if ((await this.#access.run(unnamed)).length === 0) return;
    await this.#untilNone(() => {
      const rows = unnamed();
      for (const { id } of rows) this.#queries.nameShort.run({ id, short: shortName(id) });
      return rows.length;
    });
  }

  async create({ owner, type, meta, payload, source, signal }: HandleInput): Promise<Handle | null> {
    if (payload.length > this.#bounds.maxPayload) return null;
    const metaJson = metaToJson(meta);
    const hash = await sha256(payload);
    const now = this.#now();
    const size = payload.length;
    const row = {
      owner,
      type,
      createdAt: new Date(now).toISOString(),
      expiresAt: now + this.#bounds.maxAgeMs,
      sha256: hash,
      size,
      stored: size,
      metaJson,
    };
    const made = { row, source: settledKey(source), blocks: split(payload) } satisfies NewHandle;
    const kept = await this.#write(() => this.#keep(made, now), signal);
    if (kept.isNew) this.compressor.offer(kept.row.id, size, made.blocks.length);
    return toHandle(kept.row);
  }

  async findBySource(owner: string, source: Omit<HandleSource, "readAtMs">): Promise<Handle | null> {
    const [key, now] = [sourceKey(source), this.#now()];
    const found = this.#found.get(owner, key);
    if (found !== undefined && !isDue(this.#bounds, found.expiresAt, now)) return found.handle;
    const row = await this.#access.run(() => this.#bySource(owner, key, now));
    if (row === undefined || row.expiresAt <= now) return null;
    if (!isDue(this.#bounds, row.expiresAt, now)) return toHandle(row);
    try {
      return toHandle(await this.#write(() => this.#renew(row, now)));
    } catch (thrown) {
      // A disk that takes no more writes does not make the handle unreadable.
      if (!OpsError.is(thrown)) throw thrown;
      return toHandle(row);
    }
  }

  async get(owner: string, id: string): Promise<Handle> {
    checkId(id);
    return toHandle(await this.#access.run(() => this.#live(owner, id)));
  }

  async readSlice(owner: string, id: string, offset: number, limit: number): Promise<HandleSlice> {
    checkSlice(offset, limit);
    checkId(id);
    const load = () => this.#load(owner, id, offset, limit);
    const { row, first, blocks } = await this.#access.run(() => this.#orm.transaction(load));
    const unpacked = await unpack(blocks);
    const start = offset - first * BLOCK_BYTES;
    // Copied: a view would keep a block alive for a few bytes of it.
    const data = Buffer.concat(cut(unpacked, start, start + limit));
    return { data, offset, totalBytes: row.size, handle: toHandle(row) };
  }

  async delete(owner: string, id: string): Promise<boolean> {
    if (!isId(id)) return false;
    const { changes } = await this.#access.run(() => {
      this.#found.clear();
      return this.#queries.delete.run({ id, owner });
    });
    return changes > 0;
  }

  async list(owner: string, page: HandlePage): Promise<readonly Handle[]> {
    checkPage(page);
    const { limit, before } = page;
    const args = { owner, limit, now: this.#now() };
    const rows = await this.#access.run(() =>
      before === undefined
        ? this.#queries.firstPage.all(args)
        : this.#queries.nextPage.all({ ...args, createdAt: before.createdAt, id: before.id }),
    );
    return rows.map(toHandle);
  }

  async sweep(): Promise<Swept> {
    return {
      expired: await this.#untilNone(() => this.#room.expire(this.#now())),
      evicted: await this.#untilNone(() => this.#room.evict()),
    };
  }

  async close(): Promise<void> {
    await this.compressor.close();
  }

  #write<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    return this.#access.run(() => {
      this.#found.clear();
      // Immediate: a transaction that starts reading and then writes can lose its snapshot to another process.
      return this.#orm.transaction(work, { behavior: "immediate" });
    }, signal);
  }

  #keep(
    { row, source, blocks: [payload, ...rest] }: NewHandle,
    now: number,
  ): { readonly row: HandleRow; readonly isNew: boolean } {
    const known = source === null ? undefined : this.#queries.bySource.get({ owner: row.owner, source });
    if (known !== undefined && isSame(known, row, now)) return { row: this.#renew(known, now), isNew: false };
    if (known !== undefined) this.#queries.loseSource.run({ id: known.id });
    this.#room.expire(now);
    this.#room.evictFor(row.size);
    const id = this.#freeId(row);
    this.#queries.insert.run({ ...row, id, short: shortName(id), touchedAt: now, source, payload });
    for (const [index, data] of rest.entries()) this.#queries.insertBlock.run({ id, seq: index + 1, data });
    return { row: { ...row, id }, isNew: true };
  }

  /** Draws ids until the short name is free among the owner's handles. */
  #freeId({ owner, type, createdAt }: Omit<HandleRow, "id">): string {
    for (;;) {
      const id = createId(type, new Date(createdAt));
      if (this.#queries.get.get({ id: shortName(id), owner }) === undefined) return id;
    }
  }

  /** Kept while the row is read: a moment later it may have been changed. */
  #bySource(owner: string, source: string, now: number): HandleRow | undefined {
    const row = this.#queries.bySource.get({ owner, source });
    if (row !== undefined && !isDue(this.#bounds, row.expiresAt, now))
      this.#found.set(owner, source, { handle: toHandle(row), expiresAt: row.expiresAt });
    return row;
  }

  #renew(row: HandleRow, now: number): HandleRow {
    const expiresAt = now + this.#bounds.maxAgeMs;
    this.#queries.renew.run({ id: row.id, expiresAt, touchedAt: now });
    return { ...row, expiresAt };
  }

  /** The row, if it is the owner's and has not aged out. */
  #live(owner: string, id: string): HandleRow {
    const row = this.#queries.get.get({ id, owner });
    if (row !== undefined && row.expiresAt > this.#now()) return row;
    if (row !== undefined || this.#queries.wasThere.get({ id, owner }) !== undefined) throw new HandleExpiredError(id);
    throw new HandleNotFoundError(id);
  }

  #load(owner: string, id: string, offset: number, limit: number) {
    const row = this.#live(owner, id);
    const end = Math.min(row.size, offset + limit);
    if (offset >= end) return { row, first: 0, blocks: [] };
    const { first, last } = blocksOf(offset, end);
    const blocks: Block[] = first === 0 ? this.#queries.payload.all({ id: row.id }) : [];
    if (last > 0) blocks.push(...this.#queries.blocks.all({ id: row.id, first: Math.max(first, 1), last }));
    return { row, first, blocks };
  }

  async #untilNone(batch: () => number): Promise<number> {
    let total = 0;
    for (;;) {
      const gone = await this.#write(batch);
      if (gone === 0) return total;
      total += gone;
      await nextTurn();
    }
  }
}

// Equal content too: a file can be changed behind its timestamps, and one file can be kept in two forms.
function isSame(known: HandleRow, made: Pick<HandleRow, "sha256" | "type">, now: number): boolean {
  return known.expiresAt > now && known.sha256 === made.sha256 && known.type === made.type;
}

function cut(blocks: readonly Buffer[], start: number, end: number): Buffer[] {
  return blocks.map((block, index) => {
    const at = index * BLOCK_BYTES;
    return block.subarray(Math.max(0, start - at), Math.max(0, end - at));
  });
}

function toHandle({ id, type, createdAt, expiresAt, size, sha256: hash, metaJson }: HandleRow): Handle {
  const meta = JSON.parse(metaJson) as HandleMeta;
  return { id, type, createdAt, expiresAt: new Date(expiresAt).toISOString(), size, sha256: hash, meta };
}
