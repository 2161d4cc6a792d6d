import { and, asc, getTableColumns, gte, lt, lte, max, min, sql } from "drizzle-orm";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import { cutoff, type Retention } from "../store/calls.js";
import type { calls, teCalls } from "./schema.js";

/** Type of `SqliteAccess.orm`, which the declarations of handles leave unknown. */
export type Orm = BaseSQLiteDatabase<"sync", unknown>;
type Table = typeof calls | typeof teCalls;

/** Deleted in one transaction: a table that shrinks by a lot does it over many batches. */
const TRIMMED_AT_ONCE = 2_000;

/** Prepared once: building the statement takes five times as long as running it. */
export function insertInto(orm: Orm, table: Table) {
  const { id: _, ...columns } = getTableColumns<Table>(table);
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, sql.placeholder(name)]));
  return orm
    .insert<Table>(table)
    .values(values as unknown as Table["$inferInsert"])
    .prepare();
}

/** Ids grow with time, so the oldest rows are at the start and need no index of their own. */
export function trim(orm: Orm, table: Table, retention: Retention): void {
  const first = orm
    .select({ id: min(table.id) })
    .from(table)
    .get()?.id;
  const last = orm
    .select({ id: max(table.id) })
    .from(table)
    .get()?.id;
  if (typeof first !== "number" || typeof last !== "number") return;
  const end = first + TRIMMED_AT_ONCE;
  const surplus = last - retention.rows;
  if (first <= surplus)
    orm
      .delete(table)
      .where(lte(table.id, Math.min(end, surplus)))
      .run();
  const oldest = cutoff(retention);
  if (oldest === null) return;
  const young = orm
    .select({ id: table.id })
    .from(table)
    .where(and(gte(table.timestamp, oldest), lte(table.id, end)))
    .orderBy(asc(table.id))
    .limit(1)
    .get();
  orm
    .delete(table)
    .where(lt(table.id, young?.id ?? end))
    .run();
}
