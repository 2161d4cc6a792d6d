import { setImmediate as nextTurn } from "node:timers/promises";

const PAGE = 5_000;

/** Visits all rows in pages, because a hundred thousand rows in one go would hold up every other call. */
export async function eachPage<Row extends { readonly id: number }>(
  pageAfter: (id: number, limit: number) => Promise<readonly Row[]>,
  visit: (row: Row) => void,
): Promise<void> {
  for (let after = 0; ;) {
    const page = await pageAfter(after, PAGE);
    for (const row of page) visit(row);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
    await nextTurn();
  }
}
