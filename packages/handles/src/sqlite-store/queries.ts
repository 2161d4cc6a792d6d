import { and, asc, between, desc, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { MAX_TOMBSTONES } from "../handle/bounds.js";
import type { Orm } from "../sqlite/orm.js";
import { handleBlocks as blocks, handles, handleTombstones as tombstones, handleTotals as totals } from "./schema.js";

const arg = sql.placeholder;

/** All of a handle but its payload. */
const ROW = {
  id: handles.id,
  owner: handles.owner,
  type: handles.type,
  createdAt: handles.createdAt,
  expiresAt: handles.expiresAt,
  sha256: handles.sha256,
  size: handles.size,
  stored: handles.stored,
  metaJson: handles.metaJson,
} as const;

export interface HandleRow {
  readonly id: string;
  readonly owner: string;
  readonly type: string;
  readonly createdAt: string;
  readonly expiresAt: number;
  readonly sha256: string;
  readonly size: number;
  readonly stored: number;
  readonly metaJson: string;
}

export type Queries = ReturnType<typeof prepareQueries>;

/** Built and compiled once: building a query costs more than running it. */
export function prepareQueries(orm: Orm) {
  // `id` is a full id or a short name, which never look alike.
  const mine = and(or(eq(handles.id, arg("id")), eq(handles.short, arg("id"))), eq(handles.owner, arg("owner")));
  const rawBlock = and(eq(blocks.handleId, arg("id")), eq(blocks.seq, arg("seq")), eq(blocks.encoding, "raw"));
  return {
    insert: orm
      .insert(handles)
      .values({
        id: arg("id"),
        owner: arg("owner"),
        type: arg("type"),
        createdAt: arg("createdAt"),
        expiresAt: arg("expiresAt"),
        touchedAt: arg("touchedAt"),
        sha256: arg("sha256"),
        size: arg("size"),
        stored: arg("stored"),
        source: arg("source"),
        metaJson: arg("metaJson"),
        short: arg("short"),
        encoding: "raw",
        payload: arg("payload"),
      })
      .prepare(),
    insertBlock: orm
      .insert(blocks)
      .values({ handleId: arg("id"), seq: arg("seq"), encoding: "raw", data: arg("data") })
      .prepare(),

    withoutShort: orm
      .select({ id: handles.id })
      .from(handles)
      .where(isNull(handles.short))
      .limit(arg("limit"))
      .prepare(),
    nameShort: orm
      .update(handles)
      .set({ short: sql`${arg("short")}` })
      .where(eq(handles.id, arg("id")))
      .prepare(),
    get: orm.select(ROW).from(handles).where(mine).prepare(),
    bySource: orm
      .select(ROW)
      .from(handles)
      // The index holds only rows that have a source, and is used only where the query says so too.
      .where(and(eq(handles.owner, arg("owner")), eq(handles.source, arg("source")), isNotNull(handles.source)))
      .prepare(),
    firstPage: orm
      .select(ROW)
      .from(handles)
      .where(and(eq(handles.owner, arg("owner")), sql`${handles.expiresAt} > ${arg("now")}`))
      .orderBy(desc(handles.createdAt), desc(handles.id))
      .limit(arg("limit"))
      .prepare(),
    nextPage: orm
      .select(ROW)
      .from(handles)
      .where(
        and(
          eq(handles.owner, arg("owner")),
          sql`${handles.expiresAt} > ${arg("now")}`,
          sql`(${handles.createdAt}, ${handles.id}) < (${arg("createdAt")}, ${arg("id")})`,
        ),
      )
      .orderBy(desc(handles.createdAt), desc(handles.id))
      .limit(arg("limit"))
      .prepare(),
    wasThere: orm
      .select({ id: tombstones.id })
      .from(tombstones)
      .where(and(or(eq(tombstones.id, arg("id")), eq(tombstones.short, arg("id"))), eq(tombstones.owner, arg("owner"))))
      .prepare(),

    payload: orm
      .select({ encoding: handles.encoding, data: handles.payload })
      .from(handles)
      .where(eq(handles.id, arg("id")))
      .prepare(),
    blocks: orm
      .select({ encoding: blocks.encoding, data: blocks.data })
      .from(blocks)
      .where(and(eq(blocks.handleId, arg("id")), between(blocks.seq, arg("first"), arg("last"))))
      .orderBy(asc(blocks.seq))
      .prepare(),

    renew: orm
      .update(handles)
      .set({ expiresAt: sql`${arg("expiresAt")}`, touchedAt: sql`${arg("touchedAt")}` })
      .where(eq(handles.id, arg("id")))
      .prepare(),
    loseSource: orm
      .update(handles)
      .set({ source: null })
      .where(eq(handles.id, arg("id")))
      .prepare(),
    shrinkBlock: orm
      .update(blocks)
      .set({ encoding: "deflate", data: sql`${arg("data")}` })
      .where(rawBlock)
      .prepare(),
    shrinkPayload: orm
      .update(handles)
      .set({
        encoding: "deflate",
        payload: sql`${arg("data")}`,
        stored: sql`${handles.stored} - ${arg("saved")}`,
      })
      .where(and(eq(handles.id, arg("id")), eq(handles.encoding, "raw")))
      .prepare(),

    delete: orm.delete(handles).where(mine).prepare(),
    bury: orm
      .insert(tombstones)
      .values({ id: arg("id"), owner: arg("owner"), short: arg("short") })
      .prepare(),
    forgetOldest: orm
      .delete(tombstones)
      .where(lte(tombstones.seq, sql`(SELECT max(seq) FROM ${tombstones}) - ${sql.raw(String(MAX_TOMBSTONES))}`))
      .prepare(),
    totals: orm.select({ handles: totals.handles, bytes: totals.bytes }).from(totals).prepare(),
    expired: orm
      .select({ id: handles.id, owner: handles.owner })
      .from(handles)
      .where(lte(handles.expiresAt, arg("now")))
      .orderBy(asc(handles.expiresAt))
      .limit(arg("limit"))
      .prepare(),
    oldest: orm
      .select({ id: handles.id, owner: handles.owner, stored: handles.stored })
      .from(handles)
      .orderBy(asc(handles.touchedAt), sql`${handles}.rowid`)
      .limit(arg("limit"))
      .prepare(),
  };
}
