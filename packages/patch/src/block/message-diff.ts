import type { NearestText } from "./nearest-text.js";

// A message is cut in its middle when it gets long, and a path may take half of it.
const ROOM = 240;

/** What differs, for clients that show a message and no details. */
export function messageDiff({ diff }: NearestText): string {
  return diff.length <= ROOM ? diff : `${diff.slice(0, ROOM)}…`;
}

/** Whether the message has each line that differs as it is but for its tabs, so that old_text can be mended by it. */
export function isWholeInMessage(nearest: NearestText): boolean {
  const { differences, differing } = nearest;
  const shown = new Set(messageDiff(nearest).split("\n"));
  const has = (sign: string, text: string | null): boolean => text === null || shown.has(`${sign} ${withArrows(text)}`);
  return (
    differing === differences.length &&
    differences.every(({ wanted, found }) => has("-", wanted) && has("+", found) && !found?.includes("→"))
  );
}

function withArrows(text: string): string {
  return text.replaceAll("\t", "→");
}
