import { isUtf8 } from "node:buffer";
import type { Bytes } from "./bytes.js";

/** Stands for no byte but itself: a backslash in front of what would read as a byte. */
const BACKSLASH = String.raw`\x5c`;
const LOOK_ALIKE = /\\(?=x[0-9a-fA-F]{2})/g;
// Only bytes above ASCII, and that backslash: a "\x2f" or "\x2e\x2e" in an argument must never become a slash or a "..".
const ESCAPE = /\\x(?:5[cC](?=x[0-9a-fA-F]{2})|([89a-fA-F][0-9a-fA-F]))/g;

export function toBytes(text: string): Bytes {
  return Buffer.from(text, "utf8").toString("latin1");
}

/**
 * The path as people read it: a byte that is no UTF-8 becomes `\xNN`, and a name that says `\xNN` by itself `\x5cxNN`.
 * So no two names are shown alike, and what is shown leads back to the name.
 */
export function displayPath(bytes: Bytes): string {
  const plain = bytes.includes("\\") ? bytes.replace(LOOK_ALIKE, BACKSLASH) : bytes;
  if (!/[\x80-\xff]/.test(plain)) return plain;
  const buffer = Buffer.from(plain, "latin1");
  if (isUtf8(buffer)) return buffer.toString("utf8");
  let shown = "";
  for (let at = 0; at < buffer.length;) {
    const length =
      [1, 2, 3, 4].find((size) => at + size <= buffer.length && isUtf8(buffer.subarray(at, at + size))) ?? 0;
    shown += length === 0 ? `\\x${buffer.toString("hex", at, at + 1)}` : buffer.toString("utf8", at, at + length);
    at += length || 1;
  }
  return shown;
}

/** What is shown as that, or undefined where nothing in it stands for something else. */
export function unescapeName(name: Bytes): Bytes | undefined {
  if (!name.includes("\\x")) return undefined;
  const plain = name.replace(ESCAPE, (_, hex?: string) =>
    hex === undefined ? "\\" : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return plain === name ? undefined : plain;
}

/** Text that is no name, such as a line. */
export function textOf(bytes: Bytes): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

export function namesOf(path: Bytes): Bytes[] {
  return path.split("/").filter((name) => name !== "");
}

export function join(folder: Bytes, ...names: readonly Bytes[]): Bytes {
  return names.length === 0 ? folder : `${folder === "/" ? "" : folder}/${names.join("/")}`;
}

/** What lies below a path that is already as people read it. */
export function displayBelow(shown: string, names: readonly Bytes[]): string {
  return names.length === 0 ? shown : `${shown === "/" ? "" : shown}/${displayPath(names.join("/"))}`;
}

/** By component: /srv/data does not contain /srv/database. */
export function contains(folder: Bytes, path: Bytes): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder === "/" || path[folder.length] === "/";
}

/** An absolute path without `.`, `..` and doubled slashes, settled on the text alone. */
export function normalizePath(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** Returns the parent folder of an absolute path. */
export function folderOf(real: Bytes): Bytes {
  const names = namesOf(real);
  return `/${names.slice(0, -1).join("/")}`;
}
