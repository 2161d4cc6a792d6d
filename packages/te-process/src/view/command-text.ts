const MAX_CHARS = 4096;
const HIDDEN = "***";
// Hides the text behind these names: in the same word (--token=x, TOKEN=x), or the next word (--token x).
const SECRET_NAME =
  /(?:^|[-_.])(?:pass(?:word|wd|phrase)?|pw|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credentials?|auth)$/i;
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi;
const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;
// Control characters, and characters that reverse the direction of text or end a line for some readers.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd]/gu;

/**
 * A command line as one line of text: words that need it quoted, secrets as ***, and nothing in it that could pass for
 * another row. It is made to be read, not to be run.
 */
export function commandText(argv: readonly string[]): string {
  const words: string[] = [];
  let length = 0;
  let isSecret = false;
  for (const word of argv) {
    const shown = quote(isSecret ? HIDDEN : mask(word));
    isSecret = !isSecret && /^--?[\w.-]+$/.test(word) && SECRET_NAME.test(word);
    words.push(shown);
    length += shown.length + 1;
    if (length > MAX_CHARS) break;
  }
  const text = words.join(" ");
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

/** The name that the kernel knows, which the process may have chosen. */
export function nameText(comm: string): string {
  return comm.replace(UNPRINTABLE, escaped);
}

function mask(word: string): string {
  const cut = word.indexOf("=");
  const isSecret = cut > 0 && SECRET_NAME.test(word.slice(0, cut));
  if (isSecret) return `${word.slice(0, cut)}=${HIDDEN}`;
  return word.replace(URL_PASSWORD, `$1${HIDDEN}@`).replace(BEARER, `$1 ${HIDDEN}`);
}

function quote(word: string): string {
  const text = word.replace(UNPRINTABLE, escaped);
  return text === "" || /[\s'"]/.test(text) ? JSON.stringify(text).replaceAll("\\\\", "\\") : text;
}

function escaped(char: string): string {
  if (char === "\n") return "\\n";
  if (char === "\t") return "\\t";
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
