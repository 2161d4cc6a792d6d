/** Replaces the text between `<!-- NAME: generated -->` and `<!-- /NAME -->`; all around it stays as it was written. */
export function replaceMarked(document: string, name: string, body: string): string {
  const [start, end] = [`<!-- ${name}: generated -->`, `<!-- /${name} -->`];
  const [before, rest, again] = document.split(start);
  const after = rest?.split(end);
  if (before === undefined || after?.length !== 2 || again !== undefined)
    throw new Error(`The document needs one "${start}" and, after it, one "${end}".`);
  return `${before}${start}\n\n${body}\n\n${end}${after[1]}`;
}
