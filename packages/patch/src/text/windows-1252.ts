// A string of "units" has one character for each byte, so native string functions can search and cut it like bytes.

/** Characters of the bytes 0x80 to 0x9F. Five of these bytes have no character. */
const UPPER = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const UNUSED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const FIRST = 0x80;

const UNITS = new Map(Array.from(UPPER, (char, at) => [char, String.fromCharCode(FIRST + at)] as const));

export function textOfUnits(units: string): string {
  return units.replaceAll(/[\u0080-\u009f]/g, (unit) => UPPER[unit.charCodeAt(0) - FIRST] ?? unit);
}

/** Keeps a character that the encoding lacks above 0xFF, so that it equals no byte of a file. */
export function unitsOfText(text: string): string {
  const within = (char: string): string => UNITS.get(char) ?? (char < "\u0100" ? "\ufffd" : char);
  return text.replaceAll(/[^\p{ASCII}\u00a0-\u00ff]/gu, within);
}

/** Returns the first character of these units that has no byte. */
export function lackingIn(units: string): string | undefined {
  return /[^\p{ASCII}\u0080-\u00ff]/u.exec(units)?.[0];
}

// Accepts the bytes from bell to carriage return, and escape, because logs of terminals hold them.
function isControl(byte: number): boolean {
  return (byte < 0x20 && (byte < 0x07 || byte > 0x0d) && byte !== 0x1b) || byte === 0x7f;
}

// 0xFF is ÿ, a letter rare in text, but the byte is common in data.
const MARK_OF_DATA = 0xff;
// Western text has a few letters beyond ASCII between ASCII letters; other alphabets write whole words beyond ASCII.
const LONGEST_MEAN_RUN = 3;
// One run in ten may look like a UTF-8 character by chance.
const RUNS_FOR_A_CHANCE = 10;

/** Tells Western text from data, from other alphabets, and from broken UTF-8. */
export class WesternCheck {
  #isText = true;
  #beyondAscii = 0;
  #runs = 0;
  #likeUtf8 = 0;
  /** Continuation bytes missing from a UTF-8 character. */
  #missing = 0;
  #last = 0;

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.#isText; at++) {
      const byte = bytes[at] ?? 0;
      if (byte < FIRST) this.#isText = !isControl(byte);
      else this.#take(byte);
      this.#countLikeUtf8(byte);
      this.#last = byte;
    }
  }

  get isPlausible(): boolean {
    const hasShortRuns = this.#runs > 0 && this.#beyondAscii <= LONGEST_MEAN_RUN * this.#runs;
    return this.#isText && hasShortRuns && this.#likeUtf8 * RUNS_FOR_A_CHANCE <= this.#runs;
  }

  #take(byte: number): void {
    this.#isText = !UNUSED.has(byte) && byte !== MARK_OF_DATA;
    this.#beyondAscii += 1;
    if (this.#last < FIRST) this.#runs += 1;
  }

  #countLikeUtf8(byte: number): void {
    if (this.#missing === 0 || !isContinuation(byte)) this.#missing = continuationsAfter(byte);
    else if (--this.#missing === 0) this.#likeUtf8 += 1;
  }
}

/**
 * Returns the number of continuation bytes that follow a first byte in UTF-8; 0 if `byte` begins no longer character.
 */
export function continuationsAfter(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 0;
  if (byte < 0xe0) return 1;
  return byte < 0xf0 ? 2 : 3;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
