import { posix } from "node:path";

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function spelled(character: string): string {
  return SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A newline in a name must not look like the end of the header, nor an escape code reach a terminal. */
export function header(path: string, notes: readonly string[]): string {
  return `[${[onOneLine(path), ...notes].join(" · ")}]`;
}

/** A path without anything that ends a line or moves a cursor. */
export function onOneLine(path: string): string {
  return path.replaceAll(CONTROL, spelled);
}

/** Returns a relative path as the caller wrote it, because it is shorter and as good for the next call. */
export function asAsked(asked: string | undefined, path: string): string {
  if (asked === undefined) return path;
  const name = posix.normalize(asked).replace(/(?<=.)\/$/, "");
  const [whole, file] = [name, name.replace(/#L[\d-L]+$/, "")];
  if (whole === ".") return whole;
  return [whole, file].find((each) => path.endsWith(`/${each}`)) ?? path;
}
