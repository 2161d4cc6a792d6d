/** Characters that editors, chats and models put in place of others. What an editor shows is the same, or nearly. */
const ALIKE: readonly (readonly [string, string])[] = [
  ["'", "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4"],
  ['"', "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad"],
  [" ", "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"],
  ["", "\u200b\u200c\u200d\u2060\ufeff"],
  ["...", "\u2026"],
];

const PLAIN = new Map(ALIKE.flatMap(([plain, others]) => Array.from(others, (other) => [other, plain] as const)));

const ANY = new RegExp(`[${[...PLAIN.keys()].join("")}\uff01-\uff5e]`, "gu");

/** Plain quotes, dashes and spaces for those that look like them; one form of accented letters. */
export function plain(text: string): string {
  return text.normalize("NFC").replace(ANY, plainOf);
}

export function isLookAlike(char: string): boolean {
  return PLAIN.has(char) || isFullWidth(char.charCodeAt(0));
}

function plainOf(char: string): string {
  return PLAIN.get(char) ?? String.fromCharCode(char.charCodeAt(0) - 0xfee0);
}

function isFullWidth(code: number): boolean {
  return code >= 0xff01 && code <= 0xff5e;
}

/**
 * One byte for each UTF-16 unit: 0 for what is no ink, and the same one for letters that differ in case only and for
 * look-alikes. Other units share bytes by chance, which costs votes and never a wrong answer.
 */
export const FOLD: Uint8Array = foldTable();

function foldTable(): Uint8Array {
  const table = new Uint8Array(0x1_0000);
  for (let code = 0; code < table.length; code++) table[code] = foldOf(code);
  return table;
}

function foldOf(code: number): number {
  if (code < 0x21 || code === 0x7f) return 0;
  if (code < 0x7f) return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
  if (isFullWidth(code)) return foldOf(code - 0xfee0);
  const alike = PLAIN.get(String.fromCharCode(code));
  if (alike !== undefined) return alike === "" ? 0 : foldOf(alike.charCodeAt(0));
  return 0x80 | ((code ^ (code >> 8)) & 0x7f);
}
