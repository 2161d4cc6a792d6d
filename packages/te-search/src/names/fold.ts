import { isUtf8 } from "node:buffer";
import type { Bytes } from "@llmc/names";

export const BEYOND_ASCII = /[\x80-\xff]/;
const CHANGES = /[A-Z\x80-\xff]/;

/** Without regard to case. The bytes of a name that is no UTF-8 stay, but for the letters of ASCII. */
export function fold(name: Bytes): Bytes {
  if (!CHANGES.test(name)) return name;
  if (!BEYOND_ASCII.test(name)) return name.toLowerCase();
  const buffer = Buffer.from(name, "latin1");
  if (!isUtf8(buffer)) return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return utf8Bytes(foldText(buffer.toString("utf8")));
}

export function foldText(text: string): string {
  // The end of a word has a form of its own of this one letter, and a pattern may end elsewhere.
  return text.toLowerCase().replaceAll("ς", "σ");
}

/** Also without regard to how accents are written. */
export function foldLoosely(name: Bytes): Bytes {
  if (!BEYOND_ASCII.test(name)) return fold(name);
  const buffer = Buffer.from(name, "latin1");
  return isUtf8(buffer) ? utf8Bytes(foldText(buffer.toString("utf8").normalize("NFC"))) : fold(name);
}

export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (char) => `\\${char}`);
}

export function utf8Bytes(text: string): Bytes {
  return Buffer.from(text, "utf8").toString("latin1");
}
