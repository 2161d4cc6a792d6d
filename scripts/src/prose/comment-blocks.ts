// A directive speaks to a tool, not to a reader.
const DIRECTIVE = /^(?:oxlint|eslint|@ts|#)/;

/** Texts of the comments that have lines of their own; neighbouring `//` lines are one block. */
export function commentBlocks(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const blocks: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const end = blockEnd(lines, at);
    if (end > at) blocks.push(blockText(lines.slice(at, end)));
    at = Math.max(end, at + 1);
  }
  return blocks.filter((block) => !DIRECTIVE.test(block));
}

/** Index after the last line of the comment that begins at `at`, or `at` where none begins. */
function blockEnd(lines: readonly string[], at: number): number {
  const line = lines[at] ?? "";
  if (line.startsWith("//")) return indexFrom(lines, at, (next) => !next.startsWith("//"));
  if (line.startsWith("/*")) return Math.min(lines.length, indexFrom(lines, at, (next) => next.includes("*/")) + 1);
  return at;
}

function indexFrom(lines: readonly string[], start: number, fits: (line: string) => boolean): number {
  const found = lines.slice(start).findIndex(fits);
  return found === -1 ? lines.length : start + found;
}

function blockText(lines: readonly string[]): string {
  const texts = lines.map((line) => line.replace(/^(?:\/\/[/!]?|\/\*+!?|\*(?!\/))\s?/, "").replace(/\s*\*\/.*$/, ""));
  return texts.join(" ").trim();
}
