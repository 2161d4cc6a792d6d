/** A line as its words, or what in it only a shell understands. */
export type Split = { readonly argv: readonly string[] } | { readonly shell: string } | { readonly unfinished: string };

/** Words that mean something to bash where a command begins. */
const RESERVED = new Set(
  "if then else elif fi for while until do done case esac select function time coproc in ! { } [[".split(" "),
);
const OPERATORS = "|&;<>()";
const BLANK = /[ \t]/;
const NAME = /^[A-Za-z_]\w*(\[.*\])?\+?=/;
/** Behind a `$` that stands for itself. A line that goes on in the next one may go on with anything. */
const PLAIN_DOLLAR = /^($|[ \t]|[^\w{(@*#?$!'"[\\-]|\\(?!\n))/;
const PLAIN_QUOTED_DOLLAR = /^(["']|[^\w{(@*#?$!'"[\\-]|\\(?!\n))/;

interface Word {
  text: string;
  /** The same with each quoted character as a NUL: what is left may mean something. */
  bare: string;
  isQuoted: boolean;
}

/**
 * Splits as bash would, as long as bash would take each word for itself. Everything else (pipes, expansions, globs,
 * assignments …) is named and left to bash: guessing at it is how other servers are got round.
 */
export function splitCommand(line: string): Split {
  const words: Word[] = [];
  let word: Word | undefined;
  const inWord = (): Word => (word ??= { text: "", bare: "", isQuoted: false });
  const add = (text: string, bare = "\0".repeat(text.length)): void => {
    const into = inWord();
    into.text += text;
    into.bare += bare;
  };

  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    const next = line[at + 1];
    if (BLANK.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === "\n") {
      // At the very end it only ends the line.
      if (line.slice(at).trim() !== "") return { shell: "a newline" };
    } else if (char === "\\") {
      if (next === undefined) return { unfinished: "a backslash at the end" };
      at += 1;
      if (next !== "\n") add(next);
    } else if (char === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) return { unfinished: "a ' without its second" };
      inWord().isQuoted = true;
      add(line.slice(at + 1, end));
      at = end;
    } else if (char === '"') {
      const quoted = doubleQuoted(line, at + 1);
      if (!("text" in quoted)) return quoted;
      inWord().isQuoted = true;
      add(quoted.text);
      at = quoted.end;
    } else if (char === "$" && PLAIN_DOLLAR.test(line.slice(at + 1, at + 3))) {
      add(char);
    } else if (char === "$" || char === "`" || OPERATORS.includes(char)) {
      return { shell: char };
    } else if (char === "#" && word === undefined) {
      return { shell: "#" };
    } else add(char, char);
  }
  if (word !== undefined) words.push(word);
  const [meaning] = words.flatMap((each, place) => meaningOf(each, words.slice(0, place).length === 0) ?? []);
  return meaning === undefined ? { argv: words.map(({ text }) => text) } : { shell: meaning };
}

function doubleQuoted(line: string, from: number): { text: string; end: number } | Split {
  let text = "";
  for (let at = from; at < line.length; at += 1) {
    const char = line[at] as string;
    const next = line[at + 1] ?? "";
    if (char === '"') return { text, end: at };
    if (char === "`") return { shell: "`" };
    if (char === "$" && !PLAIN_QUOTED_DOLLAR.test(line.slice(at + 1, at + 3))) return { shell: "$" };
    if (char === "\\" && '$`"\\\n'.includes(next) && next !== "") {
      at += 1;
      text += next === "\n" ? "" : next;
    } else text += char;
  }
  return { unfinished: 'a " without its second' };
}

/** What bash would make of a word that holds no operator. */
function meaningOf({ text, bare, isQuoted }: Word, isFirst: boolean): string | undefined {
  if (isFirst && NAME.test(bare)) return "an assignment";
  if (isFirst && !isQuoted && bare === text && RESERVED.has(text)) return text;
  if (/[*?]/.test(bare)) return /[*?]/.exec(bare)?.[0];
  if (/\[.*\]/s.test(bare)) return "[";
  if (/\{.*(,|\.\.).*\}/s.test(bare)) return "{";
  // Also behind a = or : bash may put a home in its place.
  if (/(^|[=:])~/.test(bare)) return "~";
  return undefined;
}
