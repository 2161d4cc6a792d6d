/** Rows as text in columns, the first row being the head. A column of figures stands to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const isFigures = head.map((_, index) => body.every((row) => /^\d/.test(row[index] ?? "")));
  const cell = (text: string, index: number) =>
    isFigures[index] === true ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0);
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}
