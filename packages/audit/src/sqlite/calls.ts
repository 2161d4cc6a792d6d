import { setImmediate as nextTurn } from "node:timers/promises";
import type { SqliteAccess } from "@llmc/handles";
import { and, asc, desc, eq, getTableColumns, gt, lt, lte, max, min, gte, sql } from "drizzle-orm";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";
import { cutoff, type KeptCalls, type RecentCalls, type Retention } from "../store/calls.js";
import type { CallRow } from "../record/row.js";
import { calls, MIGRATIONS } from "./schema.js";
import { createTally } from "../record/stats.js";

/** Type of `SqliteAccess.orm`, which the declarations of handles leave unknown. */
type Orm = BaseSQLiteDatabase<"sync", unknown>;

const PAGE = 5_000;
/** Deleted in one transaction: a table that shrinks by a lot does it over many batches. */
const TRIMMED_AT_ONCE = 2_000;

export async function sqliteCalls(access: SqliteAccess, retention: Retention): Promise<KeptCalls> {
  await access.migrate("audit", MIGRATIONS);
  const orm = access.orm as Orm;
  const { id: _, ...columns } = getTableColumns(calls);
  const insert = insertInto(orm);

  function appendSync(rows: readonly CallRow[]): void {
    orm.transaction(
      (tx) => {
        for (const row of rows) insert.run({ ...row });
        trim(tx, retention);
      },
      { behavior: "immediate" },
    );
  }

  async function recent({ limit, tool }: RecentCalls): Promise<CallRow[]> {
    const query = orm.select(columns).from(calls).orderBy(desc(calls.id)).limit(limit).$dynamic();
    const wanted = tool === undefined ? query : query.where(eq(calls.tool, tool));
    return access.run(() => wanted.all());
  }

  async function usage() {
    const tally = createTally();
    for (let after = 0; ;) {
      const page = await access.run(() => pageAfter(orm, after));
      for (const row of page) tally.add(row);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return tally.stats();
      after = last.id;
      // A hundred thousand rows in one go would hold up every other call.
      await nextTurn();
    }
  }

  return { calls: { append: (rows) => access.run(() => appendSync(rows)), recent, usage }, appendSync };
}

/** Prepared once: building the statement takes five times as long as running it. */
function insertInto(orm: Orm) {
  const { id: _, ...columns } = getTableColumns(calls);
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, sql.placeholder(name)]));
  return orm
    .insert(calls)
    .values(values as unknown as typeof calls.$inferInsert)
    .prepare();
}

function pageAfter(orm: Orm, after: number) {
  const { id, tool, status, durationMs, tokensIn, tokensOut } = calls;
  return orm
    .select({ id, tool, status, durationMs, tokensIn, tokensOut })
    .from(calls)
    .where(gt(id, after))
    .orderBy(asc(id))
    .limit(PAGE)
    .all();
}

/** Ids grow with time, so the oldest rows are at the start and need no index of their own. */
function trim(orm: Orm, retention: Retention): void {
  const first = orm
    .select({ id: min(calls.id) })
    .from(calls)
    .get()?.id;
  const last = orm
    .select({ id: max(calls.id) })
    .from(calls)
    .get()?.id;
  if (typeof first !== "number" || typeof last !== "number") return;
  const end = first + TRIMMED_AT_ONCE;
  const surplus = last - retention.rows;
  if (first <= surplus)
    orm
      .delete(calls)
      .where(lte(calls.id, Math.min(end, surplus)))
      .run();
  const oldest = cutoff(retention);
  if (oldest === null) return;
  const young = orm
    .select({ id: calls.id })
    .from(calls)
    .where(and(gte(calls.timestamp, oldest), lte(calls.id, end)))
    .orderBy(asc(calls.id))
    .limit(1)
    .get();
  orm
    .delete(calls)
    .where(lt(calls.id, young?.id ?? end))
    .run();
}
