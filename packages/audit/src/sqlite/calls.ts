import type { SqliteAccess } from "@llmc/handles";
import { asc, desc, eq, getTableColumns, gt } from "drizzle-orm";
import type { KeptCalls, RecentCalls, Retention } from "../store/calls.js";
import type { CallRow } from "../record/row.js";
import { calls, MIGRATIONS } from "./schema.js";
import { createTally } from "../record/stats.js";
import { eachPage } from "./pages.js";
import { insertInto, trim, type Orm } from "./table.js";

export async function sqliteCalls(access: SqliteAccess, retention: Retention): Promise<KeptCalls> {
  await access.migrate("audit", MIGRATIONS);
  const orm = access.orm as Orm;
  const { id: _, ...columns } = getTableColumns(calls);
  const insert = insertInto(orm, calls);

  function appendSync(rows: readonly CallRow[]): void {
    orm.transaction(
      (tx) => {
        for (const row of rows) insert.run({ ...row });
        trim(tx, calls, retention);
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
    await eachPage((after: number, limit: number) => access.run(() => pageAfter(orm, after, limit)), tally.add);
    return tally.stats();
  }

  return { calls: { append: (rows) => access.run(() => appendSync(rows)), recent, usage }, appendSync };
}

function pageAfter(orm: Orm, after: number, limit: number) {
  const { id, tool, status, durationMs, tokensIn, tokensOut } = calls;
  return orm
    .select({ id, tool, status, durationMs, tokensIn, tokensOut })
    .from(calls)
    .where(gt(id, after))
    .orderBy(asc(id))
    .limit(limit)
    .all();
}
