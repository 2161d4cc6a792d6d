const NEWLINE = 10;
const BLANK = 32;

/** The text of pages with a line before each that says which it is. Null where not one of them has any. */
export function joinPages(pages: readonly Buffer[], first: number): Buffer | null {
  const trimmed = pages.map(trimEnd);
  if (trimmed.every((page) => page.length === 0)) return null;
  return Buffer.concat(trimmed.flatMap((page, index) => withMarker(page, first + index)));
}

function withMarker(page: Buffer, number: number): Buffer[] {
  if (page.length === 0) return [Buffer.from(`[page ${number}, no text]\n`)];
  return [Buffer.from(`[page ${number}]\n`), page, Buffer.of(NEWLINE)];
}

/** Without the blank lines that fill a page up. */
function trimEnd(page: Buffer): Buffer {
  let end = page.length;
  while (end > 0 && (page[end - 1] ?? 0) <= BLANK) end -= 1;
  return page.subarray(0, end);
}
