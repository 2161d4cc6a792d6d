import type { Bytes } from "../path/bytes.js";

/** Whether a unit (a character, or a byte that is none) belongs to a class. */
export type CharSet = (unit: number) => boolean;

export const SLASH = 0x2f;
export const DOT = 0x2e;

// Beyond the last character of unicode, so that a stray byte is equal to no character.
const STRAY = 0x110000;
const SMALLEST = [0, 0, 0x80, 0x800, 0x10000];

/** The character that begins here; a byte that begins none of valid UTF-8 is a unit of its own. */
export function unitAt(bytes: Bytes, at: number): number {
  const lead = bytes.charCodeAt(at);
  if (lead < 0x80) return lead;
  const size = sizeFrom(lead);
  let code = lead & (0x7f >> size);
  for (let next = at + 1; next < at + size; next++) {
    const byte = bytes.charCodeAt(next);
    if ((byte & 0xc0) !== 0x80) return STRAY + lead;
    code = (code << 6) | (byte & 0x3f);
  }
  return size > 1 && code >= (SMALLEST[size] as number) && isScalar(code) ? code : STRAY + lead;
}

/** How many bytes a unit took. */
export function sizeOf(unit: number): number {
  if (unit < 0x80 || unit >= STRAY) return 1;
  if (unit < 0x800) return 2;
  return unit < 0x10000 ? 3 : 4;
}

export function isStray(unit: number): boolean {
  return unit >= STRAY;
}

function sizeFrom(lead: number): number {
  if (lead < 0xc0 || lead > 0xf7) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function isScalar(code: number): boolean {
  return code < 0xd800 || (code > 0xdfff && code < STRAY);
}
