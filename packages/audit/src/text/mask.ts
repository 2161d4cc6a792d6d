import { cut } from "./escape.js";

export interface Bounds {
  readonly depth: number;
  /** Members of an object and items of a list. */
  readonly members: number;
  readonly stringLength: number;
  /** Strings under names such as `content`, `patch` or `stdin` are given as their length. */
  readonly hideContents: boolean;
}

export interface Mask {
  /** The text without anything that looks like a secret. */
  text(text: string): string;
  /** A bounded copy as plain JSON values, secrets and file contents masked. Never throws. */
  value(value: unknown, bounds: Bounds): unknown;
}

const MASKED = "***";
// Only so much of a long string is looked at; what a summary keeps of it is far less.
const SCANNED = 8_192;

const SECRET_WORDS =
  "passwords?|passwd|pwd|passphrase|secrets?|token|authorization|api[-_.]?keys?|apikey|credentials?|cookie|private[-_.]?key|access[-_.]?key|session[-_.]?key|signing[-_.]?key";
// In camelCase, snake_case and kebab-case, but not in `tokens_in` or `secretary`.
const SECRET_KEY = new RegExp(`(?:^|[-_. ])(?:${SECRET_WORDS})(?:$|[-_. ])`);
const SECRET_FLAG = new RegExp(`^--?(?:[a-z0-9]+-)*(?:${SECRET_WORDS})$`, "i");
const COUNT_KEY = /(?:^|_)token(?:_|$)/;
/** Arguments that hold what is in a file, or goes into one: their size is the fact, not their text. */
const CONTENT_KEYS = [
  ...["content", "contents", "text", "data", "body", "input", "stdin", "code", "diff", "patch"],
  ...["old_string", "new_string", "old", "new", "replacement"],
];
const ENVIRONMENT_KEYS = new Set(["env", "environment", "headers"]);

const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}-----|$)/g, MASKED],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${MASKED}`],
  // user:password@ of a URL; the user may be a token as well.
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"']{1,512}@/gi, `$1${MASKED}@`],
  // NAME_TOKEN=value, --password value, "api_key": "value"
  [
    new RegExp(
      `((?:^|[\\s"'{,;&?(])-{0,2}[a-z0-9_.-]{0,40}?(?:${SECRET_WORDS})(?:[-_.][a-z0-9_.-]{0,20}|key|value)?["']?\\s{0,3}[=:]\\s{0,3}["']?)(?!\\*\\*\\*)[^\\s"'&,;]{1,1024}`,
      "gi",
    ),
    `$1${MASKED}`,
  ],
  [
    new RegExp(`((?:^|\\s)--?(?:[a-z0-9]{1,20}-){0,3}(?:${SECRET_WORDS})\\s{1,3}["']?)(?!-)[^\\s"']{1,1024}`, "gi"),
    `$1${MASKED}`,
  ],
  [
    /(\b(?:curl|wget|https?)\s(?:[^\n|;]{0,300}?\s)?(?:-u|-a|--user|--auth)[\s=]{0,3}["']?[^\s:"']{1,100}:)[^\s"']{1,512}/g,
    `$1${MASKED}`,
  ],
  [/\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{16,64})/g, MASKED],
  [/\b(?:sk|pk|rk)[-_](?:[a-z]{2,10}[-_]){0,3}[A-Za-z0-9_-]{16,255}/g, MASKED],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, MASKED],
  [/\bAIza[A-Za-z0-9_-]{30,64}/g, MASKED],
  [/\bxox[a-z]-[A-Za-z0-9-]{10,255}/g, MASKED],
  [/\bnpm_[A-Za-z0-9]{30,64}/g, MASKED],
  [/\bhf_[A-Za-z0-9]{20,64}/g, MASKED],
  [/\beyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{0,4096}/g, MASKED],
];

// No shape fits a text that has none of these; most texts have none, and one look costs less than fourteen.
const SUSPECT =
  /pass|pwd|secret|token|auth|key|cred|cookie|bearer|basic|:\/\/|curl|wget|http|gh[pousr]_|github_pat|glpat|[spr]k[-_]|A[KS]IA|AIza|xox|npm_|hf_|eyJ|-----BEGIN/i;

/**
 * Makes a mask. `secrets` are exact values, masked in every text; values below four characters are ignored because they
 * would mask everything. `contentKeys` are further names of arguments with file contents.
 */
export function createMask(secrets: readonly string[], contentKeys: readonly string[] = []): Mask {
  const contents = new Set([...CONTENT_KEYS, ...contentKeys]);
  const exact = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
    .filter((secret) => secret.length >= 4)
    .toSorted((a, b) => b.length - a.length);

  function text(given: string): string {
    let masked = given;
    for (const secret of exact) masked = masked.replaceAll(secret, MASKED);
    if (!SUSPECT.test(masked)) return masked;
    for (const [shape, instead] of SHAPES) masked = masked.replace(shape, instead);
    return masked;
  }

  function bounded(given: string, length: number): string {
    const masked = text(cut(given, SCANNED));
    if (masked.length <= length && given.length <= SCANNED) return masked;
    const kept = cut(masked, length);
    return `${kept}…(+${Math.max(0, given.length - kept.length)})`;
  }

  function value(given: unknown, bounds: Bounds): unknown {
    try {
      return copy(given, bounds);
    } catch {
      // A getter or a proxy of a library user's own making.
      return "(unreadable)";
    }
  }

  function copy(given: unknown, bounds: Bounds): unknown {
    if (typeof given === "string") return bounded(given, bounds.stringLength);
    if (typeof given === "number") return Number.isFinite(given) ? given : String(given);
    if (typeof given === "boolean" || given === null || given === undefined) return given;
    if (typeof given === "bigint" || typeof given === "symbol") return bounded(given.toString(), bounds.stringLength);
    if (typeof given !== "object") return `(${typeof given})`;
    if (bounds.depth === 0) return Array.isArray(given) ? `[${given.length}]` : "{…}";
    const inner = { ...bounds, depth: bounds.depth - 1 };
    return Array.isArray(given) ? copyList(given, inner) : copyObject(given, inner);
  }

  function copyList(list: readonly unknown[], bounds: Bounds): unknown[] {
    const items = list
      .slice(0, bounds.members)
      .map((item, index) => (isSecretFlag(list[index - 1]) && typeof item === "string" ? MASKED : copy(item, bounds)));
    return list.length > bounds.members ? [...items, `…(+${list.length - bounds.members})`] : items;
  }

  function copyObject(object: object, bounds: Bounds): Record<string, unknown> {
    const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    let members = 0;
    for (const key in object) {
      if (!Object.hasOwn(object, key)) continue;
      members += 1;
      if (members > bounds.members) {
        result["…"] = "more";
        break;
      }
      result[bounded(key, 64)] = member(key, (object as Record<string, unknown>)[key], bounds);
    }
    return result;
  }

  function member(key: string, given: unknown, bounds: Bounds): unknown {
    const words = wordsOf(key);
    if (isSecret(words, given)) return MASKED;
    if (bounds.hideContents && typeof given === "string" && contents.has(words)) return `(${given.length} characters)`;
    if (ENVIRONMENT_KEYS.has(words) && typeof given === "object" && given !== null) return maskedValues(given, bounds);
    return copy(given, bounds);
  }

  /** Which variables or headers were given is a fact, their values are nobody's business. */
  function maskedValues(object: object, bounds: Bounds): unknown {
    if (Array.isArray(object)) return `[${object.length}]`;
    return copy(
      Object.fromEntries(
        Object.keys(object)
          .slice(0, bounds.members)
          .map((key) => [key, MASKED]),
      ),
      bounds,
    );
  }

  return { text, value };
}

function isSecretFlag(previous: unknown): boolean {
  return typeof previous === "string" && previous.length < 100 && SECRET_FLAG.test(previous);
}

function isSecret(words: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === "boolean") return false;
  // `token_env` holds the name of a variable, not its value.
  if (!SECRET_KEY.test(words) || words.endsWith("_env")) return false;
  return !(typeof value === "number" && COUNT_KEY.test(words));
}

function wordsOf(key: string): string {
  return cut(key, 128)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();
}
