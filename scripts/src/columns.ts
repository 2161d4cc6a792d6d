/** Formats rows in columns. The first row is the head; a column of figures is aligned to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const isFigures = head.map((_, index) => body.every((row) => /^\d/.test(row[index] ?? "")));
  const cell = (text: string, index: number) =>
    isFigures[index] === true ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0);
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}
