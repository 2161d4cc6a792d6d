import type { SqliteAccess } from "@llmc/handles";
import { and, asc, eq, gt, isNull, max, sql, type SQL } from "drizzle-orm";
import type { Miss } from "../record/misses.js";
import { createSavingsTally } from "../record/savings.js";
import type { Retention } from "../store/calls.js";
import { handleName, handleNames, isMiss, type TeCalls, type TeEvent } from "../store/te-calls.js";
import { eachPage } from "./pages.js";
import { MIGRATIONS, teCalls } from "./schema.js";
import { insertInto, trim, type Orm } from "./table.js";

/** Newest rows that are searched for a handle, which is rarer than a row and so has no index. */
const SEARCHED = 10_000;

export async function sqliteTeCalls(access: SqliteAccess, retention: Retention): Promise<TeCalls> {
  await access.migrate("audit", MIGRATIONS);
  const orm = access.orm as Orm;
  const insert = insertInto(orm, teCalls);

  function appendSync(events: readonly TeEvent[]): void {
    orm.transaction(
      (tx) => {
        for (const event of events) {
          if (isMiss(event)) mark(tx, event);
          else insert.run({ ...event, handleNames: handleNames(event) });
        }
        trim(tx, teCalls, retention);
      },
      { behavior: "immediate" },
    );
  }

  async function savings() {
    const tally = createSavingsTally();
    await eachPage((after: number, limit: number) => access.run(() => pageAfter(orm, after, limit)), tally.add);
    return tally.savings();
  }

  return { append: (events) => access.run(() => appendSync(events)), appendSync, savings };
}

function mark(orm: Orm, miss: Miss): void {
  const found = orm
    .select({ id: max(teCalls.id) })
    .from(teCalls)
    .where(isOf(orm, miss))
    .get();
  if (typeof found?.id !== "number") return;
  orm
    .update(teCalls)
    .set({ missed: miss.missed })
    .where(and(eq(teCalls.id, found.id), isNull(teCalls.missed)))
    .run();
}

function isOf(orm: Orm, miss: Miss): SQL | undefined {
  if (miss.missed === "rerun") return and(eq(teCalls.session, miss.session), eq(teCalls.command, miss.command));
  const newest = orm
    .select({ id: max(teCalls.id) })
    .from(teCalls)
    .get()?.id;
  const name = handleName(miss.handle);
  return and(gt(teCalls.id, (newest ?? 0) - SEARCHED), sql`instr(${teCalls.handleNames}, ${name}) > 0`);
}

function pageAfter(orm: Orm, after: number, limit: number) {
  const { id, family, client, rawTokens, shownTokens, clientCapTokens, missed } = teCalls;
  return orm
    .select({ id, family, client, rawTokens, shownTokens, clientCapTokens, missed })
    .from(teCalls)
    .where(gt(id, after))
    .orderBy(asc(id))
    .limit(limit)
    .all();
}
