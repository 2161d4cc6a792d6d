/** The beginning of a value as JSON. What a hostile caller nests too deep to be written is named instead. */
export function preview(value: unknown, length: number): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = "a value that nests too deep";
  }
  return text.length > length ? `${text.slice(0, length - 3)}...` : text;
}
