import type { PackageSources } from "../house/sources.js";
import { commentBlocks } from "./comment-blocks.js";

/**
 * Habits of the old comments that make them hard to read, and the share of comment blocks that may have each in a new
 * package. The bounds are a little above the shares of well-known code bases (0.0 to 0.5 %).
 */
export const HABITS = {
  "starts with What/Where/Who": { pattern: /^(?:What|Whatever|Who|Whoever|Where)\b/, bound: 0.005 },
  "what is/was/has/it/they": { pattern: /\bwhat (?:is|was|has|had|it|they|we|others?)\b/i, bound: 0.01 },
  "whoever/nobody/somebody": { pattern: /\b(?:whoever|nobody|somebody|anybody)\b/i, bound: 0.005 },
  "is no, are no": { pattern: /\b(?:is|are) no [a-z]+|\bis none\b/i, bound: 0.01 },
  "of it/them/one": { pattern: /\bof (?:it|them|one)\b/i, bound: 0.02 },
} as const;

export type Habit = keyof typeof HABITS;

export const HABIT_NAMES = Object.keys(HABITS) as Habit[];

/** `count` of `of` comment blocks have the habit. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

export type Shares = Readonly<Record<Habit, Share>>;

export function sharesOf({ files }: PackageSources): Shares {
  const blocks = files.flatMap(({ text }) => commentBlocks(text));
  const share = (habit: Habit): Share => ({
    count: blocks.filter((block) => HABITS[habit].pattern.test(block)).length,
    of: blocks.length,
  });
  return Object.fromEntries(HABIT_NAMES.map((habit) => [habit, share(habit)])) as Shares;
}

/** Without a block, no block has a habit. */
export const ratio = ({ count, of }: Share): number => (of === 0 ? 0 : count / of);

export const percent = (share: Share): string => `${(100 * ratio(share)).toFixed(1)} %`;
