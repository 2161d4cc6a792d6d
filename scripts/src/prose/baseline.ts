import { HABIT_NAMES, HABITS, percent, ratio, type Habit, type Share, type Shares } from "./habits.js";

/** Shares of each package, by its folder. */
export type Prose = Readonly<Record<string, Shares>>;

/** One sentence for each share above the limit of its package. */
export function proseProblems(now: Prose, baseline: Prose): string[] {
  const gone = Object.keys(baseline).filter((dir) => now[dir] === undefined);
  return [
    ...Object.entries(now).flatMap(([dir, shares]) => packageProblems(dir, shares, baseline[dir])),
    ...gone.map((dir) => `${dir}: is gone, but still has a row; run \`pnpm prose --write\`.`),
  ];
}

function packageProblems(dir: string, shares: Shares, row: Shares | undefined): string[] {
  return HABIT_NAMES.flatMap((habit) => {
    const share = shares[habit];
    const told = `${dir}: ${share.count} of ${share.of} comments (${percent(share)}) "${habit}"`;
    if (row === undefined)
      return isAbove(share, habit) ? [`${told}; a new package may have ${100 * HABITS[habit].bound} %.`] : [];
    return isWorse(share, row[habit]) ? [`${told}; there were ${percent(row[habit])}.`] : [];
  });
}

/** Shares of all packages together: a file that moves between packages does not change them. */
export function totalShares(prose: Prose): Shares {
  const add = (habit: Habit, part: keyof Share) =>
    Object.values(prose).reduce((sum, shares) => sum + shares[habit][part], 0);
  const total = HABIT_NAMES.map((habit) => [habit, { count: add(habit, "count"), of: add(habit, "of") }]);
  return Object.fromEntries(total) as Shares;
}

/** One sentence for each share that is worse in all packages together, so that more than moves raised it. */
export function moveProblems(now: Prose, baseline: Prose): string[] {
  if (Object.keys(baseline).length === 0) return [];
  return packageProblems("all packages", totalShares(now), totalShares(baseline));
}

/**
 * The baseline to write. A row takes each share that got better and keeps the others; a new package gets a row when it
 * is within the bounds. With `acceptMoves` every row takes the current shares, because moved comments took their habits
 * along.
 */
export function nextBaseline(now: Prose, baseline: Prose, acceptMoves: boolean): Prose {
  const rows = Object.entries(now).flatMap(([dir, shares]) => {
    const row = acceptMoves ? shares : nextRow(shares, baseline[dir]);
    return row === undefined ? [] : [[dir, row] as const];
  });
  return Object.fromEntries(rows);
}

function nextRow(shares: Shares, row: Shares | undefined): Shares | undefined {
  if (row === undefined) return HABIT_NAMES.some((habit) => isAbove(shares[habit], habit)) ? undefined : shares;
  const better = (habit: Habit): Share => (isWorse(shares[habit], row[habit]) ? row[habit] : shares[habit]);
  return Object.fromEntries(HABIT_NAMES.map((habit) => [habit, better(habit)])) as Shares;
}

const isAbove = (share: Share, habit: Habit) => ratio(share) > HABITS[habit].bound;
const isWorse = (share: Share, before: Share) => ratio(share) > ratio(before);

/** Text of the file, one share a line, as the formatter leaves it. */
export function baselineText(baseline: Prose): string {
  const rows = Object.entries(baseline).map(([dir, shares]) => {
    const lines = HABIT_NAMES.map(
      (habit) => `    "${habit}": { "count": ${shares[habit].count}, "of": ${shares[habit].of} }`,
    );
    return `  "${dir}": {\n${lines.join(",\n")}\n  }`;
  });
  return `{\n${rows.join(",\n")}\n}\n`;
}
