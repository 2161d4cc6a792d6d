/** RFC 4180 by its grammar, and nothing more lenient: a file that breaks it does not parse. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) rows.push(record());
  return rows;

  function record(): string[] {
    const cells = [field()];
    while (text[at] === ",") {
      at += 1;
      cells.push(field());
    }
    if (text[at] !== "\n") throw new SyntaxError(`no end of line at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
    at += 1;
    return cells;
  }

  function field(): string {
    if (text[at] !== '"') throw new SyntaxError(`no quote at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
    let value = "";
    for (at += 1; ; at += 1) {
      if (at >= text.length) throw new SyntaxError("a cell without an end");
      if (text[at] !== '"') value += text[at];
      else if (text[at + 1] === '"') {
        value += '"';
        at += 1;
      } else break;
    }
    at += 1;
    return value;
  }
}
