import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { BLOCK_BYTES } from "../../src/sqlite-store/blocks.js";
import { boundsOf } from "../../src/handle/bounds.js";
import { openSqliteStore, type SqliteHandleStore } from "../../src/sqlite-store/store.js";
import { SQLITE_KINDS, test as base, type SqliteDatabase } from "../drivers.js";

const LIMITS = { maxTotalBytes: 64 << 20, maxPayloadBytes: 16 << 20, maxAgeHours: 24 };
const text = (bytes: number) => Buffer.alloc(bytes, "the quick brown fox jumps over the lazy dog, ");

interface Bench {
  readonly database: SqliteDatabase;
  readonly store: SqliteHandleStore;
}

const test = base.extend<{ bench: (driver: "better-sqlite3" | "node:sqlite" | "memory") => Promise<Bench> }>({
  bench: async ({ openSqlite }, use) => {
    const stores: SqliteHandleStore[] = [];
    await use(async (driver) => {
      const { database } = await openSqlite({ driver });
      const parts = { bounds: boundsOf(LIMITS), now: Date.now, compressAfterMs: 1e6 };
      const store = await openSqliteStore(database, parts);
      stores.push(store);
      return { database, store };
    });
    await Promise.all(stores.map((store) => store.close()));
  },
});

const put = async ({ store }: Bench, payload: Uint8Array, owner = "me") => {
  const handle = await store.create({ owner, type: "file", meta: { kind: "file_content" }, payload });
  return handle!.id;
};
/** How the blocks of all handles are kept, and the sum the limits go by. */
const kept = ({ database }: Bench) => ({
  encodings: database.orm
    .values<[string]>(sql`SELECT encoding FROM handles UNION ALL SELECT encoding FROM handle_blocks`)
    .map(([encoding]) => encoding),
  bytes: database.orm.values<[number]>(sql`SELECT bytes FROM handle_totals`)[0]![0],
  stored: database.orm.values<[number]>(
    sql`SELECT (SELECT sum(length(payload)) FROM handles) + ifnull((SELECT sum(length(data)) FROM handle_blocks), 0)`,
  )[0]![0],
});

// Pieces that shrink and pieces that do not, around the edges of blocks.
const payloads = fc
  .array(
    fc.record({
      shrinks: fc.boolean(),
      bytes: fc.oneof(
        fc.integer({ min: 0, max: 9000 }),
        fc.integer({ min: BLOCK_BYTES - 2, max: BLOCK_BYTES + 2 }),
        fc.constant(2 * BLOCK_BYTES),
      ),
    }),
    { maxLength: 4 },
  )
  .map((pieces) => Buffer.concat(pieces.map(({ shrinks, bytes }) => (shrinks ? text(bytes) : randomBytes(bytes)))));
const edges = fc.oneof(
  fc.integer({ min: 0, max: 5 * BLOCK_BYTES }),
  fc.integer({ min: -1, max: 1 }).chain((by) => fc.constantFrom(1, 2, 3).map((blocks) => blocks * BLOCK_BYTES + by)),
);

describe.each(SQLITE_KINDS)("compression on %s", (driver) => {
  test("never changes what is read: before, during and after", async ({ bench }) => {
    const place = await bench(driver);
    const slices = fc.array(fc.tuple(edges, edges), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(payloads, slices, async (payload, wanted) => {
        const id = await put(place, payload);
        const check = async () => {
          for (const [offset, limit] of wanted) {
            const { data, totalBytes } = await place.store.readSlice("me", id, offset, limit);
            expect(data.equals(payload.subarray(offset, offset + limit))).toBe(true);
            expect(totalBytes).toBe(payload.length);
          }
        };
        await check();
        const settled = place.store.compressor.settled();
        await Promise.all([check(), settled]);
        await check();
        expect(kept(place).bytes).toBe(kept(place).stored);
        await place.store.delete("me", id);
      }),
      { numRuns: 60 },
    );
    expect(kept(place)).toEqual({ encodings: [], bytes: 0, stored: null });
  });

  test("keeps text small, block by block", async ({ bench }) => {
    const place = await bench(driver);
    await put(place, text(3 * BLOCK_BYTES + 1));
    await place.store.compressor.settled();
    const { encodings, bytes, stored } = kept(place);
    // The last block is a single byte.
    expect(encodings).toEqual(["deflate", "deflate", "deflate", "raw"]);
    expect([bytes, bytes < BLOCK_BYTES / 10]).toEqual([stored, true]);
  });

  test("leaves alone what does not shrink and what is small", async ({ bench }) => {
    const place = await bench(driver);
    await put(place, randomBytes(2 * BLOCK_BYTES));
    await put(place, text(4095));
    await place.store.compressor.settled();
    expect(new Set(kept(place).encodings)).toEqual(new Set(["raw"]));
  });

  test("does not bring back a handle that was deleted meanwhile", async ({ bench }) => {
    const place = await bench(driver);
    const id = await put(place, text(4 * BLOCK_BYTES));
    const settled = place.store.compressor.settled();
    await place.store.delete("me", id);
    await settled;
    expect(kept(place)).toEqual({ encodings: [], bytes: 0, stored: null });
  });

  test("is cut short by a close, and what was begun reads the same", async ({ bench }) => {
    const place = await bench(driver);
    const payload = text(40 * BLOCK_BYTES);
    const ids = await Promise.all([put(place, payload), put(place, payload)]);
    void place.store.compressor.settled();
    await place.store.close();
    for (const id of ids) {
      const { data } = await place.store.readSlice("me", id, 0, payload.length);
      expect(data.equals(payload)).toBe(true);
    }
    const { encodings, bytes, stored } = kept(place);
    expect([bytes, encodings.filter((encoding) => encoding === "raw").length >= 40]).toEqual([stored, true]);
  });

  test("survives a database that was closed first", async ({ bench }) => {
    const place = await bench(driver);
    await put(place, text(4 * BLOCK_BYTES));
    await place.database.close();
    await expect(place.store.compressor.settled()).resolves.toBeUndefined();
  });
});
