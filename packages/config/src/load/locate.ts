/**
 * Finds the line of a key, or of the nearest table around it, in TOML that is known to be valid: smol-toml gives lines for broken syntax only,
 * and a wrong type needs one as well.
 */
export function lineFinder(text: string): (path: readonly string[]) => number | undefined {
  const lines = new Scanner(text).lines();
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const line = lines.get(JSON.stringify(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return undefined;
  };
}

const BARE_KEY = /[A-Za-z0-9_-]+/y;
const BLANK = /[ \t]*/y;
const GAP = /(?:[ \t\r\n]+|#[^\n]*)*/y;
const BASIC = /"(?:[^"\\]+|\\.)*"/y;
const LITERAL = /'[^']*'/y;
// Up to two quotes may stand directly before the closing three.
const BASIC_BLOCK = /"""(?:[^"\\]+|\\[^]|"(?!""))*"""(?:"{0,2})/y;
const LITERAL_BLOCK = /'''(?:[^']+|'(?!''))*'''(?:'{0,2})/y;
const BARE_VALUE = /[^,\]}#\r\n]*/y;

class Scanner {
  readonly #text: string;
  readonly #found = new Map<string, number>();
  #at = 0;
  #line = 1;
  #countedTo = 0;

  constructor(text: string) {
    this.#text = text;
  }

  lines(): ReadonlyMap<string, number> {
    let table: readonly string[] = [];
    this.#skip(GAP);
    while (this.#at < this.#text.length) {
      if (this.#peek() === "[") table = this.#header();
      else this.#pair(table);
      this.#skip(GAP);
    }
    return this.#found;
  }

  #header(): readonly string[] {
    const brackets = this.#text.startsWith("[[", this.#at) ? 2 : 1;
    this.#at += brackets;
    const path = this.#dotted([]);
    this.#at += brackets;
    return path;
  }

  #pair(table: readonly string[]): void {
    const path = this.#dotted(table);
    this.#at += 1; // the "="
    this.#skip(BLANK);
    this.#value(path);
  }

  #dotted(prefix: readonly string[]): readonly string[] {
    const path = [...prefix];
    for (;;) {
      this.#skip(BLANK);
      path.push(this.#key());
      this.#note(path);
      this.#skip(BLANK);
      if (this.#peek() !== ".") return path;
      this.#at += 1;
    }
  }

  #key(): string {
    const sign = this.#peek();
    if (sign === "'") return this.#take(LITERAL).slice(1, -1);
    if (sign === '"') return unescape(this.#take(BASIC));
    return this.#take(BARE_KEY);
  }

  #value(path: readonly string[]): void {
    const sign = this.#peek();
    if (sign === "[") this.#array(path);
    else if (sign === "{") this.#inlineTable(path);
    else if (this.#text.startsWith('"""', this.#at)) this.#take(BASIC_BLOCK);
    else if (this.#text.startsWith("'''", this.#at)) this.#take(LITERAL_BLOCK);
    else if (sign === '"') this.#take(BASIC);
    else if (sign === "'") this.#take(LITERAL);
    else this.#take(BARE_VALUE);
  }

  #array(path: readonly string[]): void {
    this.#list("]", () => this.#value(path));
  }

  #inlineTable(path: readonly string[]): void {
    this.#list("}", () => this.#pair(path));
  }

  #list(end: string, item: () => void): void {
    this.#at += 1;
    this.#skip(GAP);
    while (this.#at < this.#text.length && this.#peek() !== end) {
      item();
      this.#skip(GAP);
      if (this.#peek() === ",") this.#at += 1;
      this.#skip(GAP);
    }
    this.#at += 1;
  }

  /** The first mention wins: a table may be opened again by a header below it. */
  #note(path: readonly string[]): void {
    const name = JSON.stringify(path);
    if (!this.#found.has(name)) this.#found.set(name, this.#lineHere());
  }

  #lineHere(): number {
    for (; this.#countedTo < this.#at; this.#countedTo += 1) if (this.#text[this.#countedTo] === "\n") this.#line += 1;
    return this.#line;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }

  /** Moves on by at least one sign, so that text which is no TOML after all cannot hold the loop. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += Math.max(taken.length, 1);
    return taken;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", e: "\u001b", f: "\f", n: "\n", r: "\r", t: "\t" };

function unescape(basic: string): string {
  return basic
    .slice(1, -1)
    .replace(
      /\\(?:U([0-9A-Fa-f]{8})|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))/g,
      (_, long, short, byte, sign: string) => {
        const hex: string | undefined = long ?? short ?? byte;
        return hex === undefined ? (ESCAPES[sign] ?? sign) : String.fromCodePoint(Number.parseInt(hex, 16));
      },
    );
}
