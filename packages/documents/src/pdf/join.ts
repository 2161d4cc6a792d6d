const NEWLINE = 10;
const BLANK = 32;

/** Joins pages, each behind a line with its number. Returns null if no page has text. */
export function joinPages(pages: readonly Buffer[], first: number): Buffer | null {
  const trimmed = pages.map(trimEnd);
  if (trimmed.every((page) => page.length === 0)) return null;
  return Buffer.concat(trimmed.flatMap((page, index) => withMarker(page, first + index)));
}

function withMarker(page: Buffer, number: number): Buffer[] {
  if (page.length === 0) return [Buffer.from(`[page ${number}, no text]\n`)];
  return [Buffer.from(`[page ${number}]\n`), page, Buffer.of(NEWLINE)];
}

/** Drops the blank lines that fill a page. */
function trimEnd(page: Buffer): Buffer {
  let end = page.length;
  while (end > 0 && (page[end - 1] ?? 0) <= BLANK) end -= 1;
  return page.subarray(0, end);
}
