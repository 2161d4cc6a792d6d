/** A line that matches, and where. */
export interface MatchedLine {
  readonly text: string;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** How surely the line defines what matched in it. */
export const SURELY = 3;
export const LIKELY = 2;
/** It defines something whose name only holds what matched. */
export const PARTLY = 1;

const NAME = String.raw`([\p{L}_$][\p{L}\p{N}_$]*[?!]?)`;
const MODIFIERS = String.raw`(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|override|readonly|sealed|open|data|inline|unsafe|extern|"C"|pub(?:\([^)]*\))?|partial|virtual|local|global|suspend|lateinit|companion|case|implicit|lazy|const(?=\s+(?:fn|enum)\b)|@[\w.]+)\s+)*`;
const KEYWORD = String.raw`(function\*?|class|interface|type|enum|namespace|module|mod|struct|trait|fn|func|fun|def|defp|defmacro|defmodule|sub|let(?:\s+mut)?|var|val|const(?=\s+[\w$]+\s*(?:[:=]|$))|static(?=\s+(?:mut\s+)?[\w$]+\s*[:=])|object|record|union|typedef|#\s*define|macro_rules!|protocol|extension|procedure|proc|mixin|actor|message|service|rpc|alias)`;
const PARAMETERS = String.raw`\??(?:<[^()]*>)?\((?:[^()]|\([^()]*\))*\)`;

/**
 * What stands before a name that is defined, and after it. Applied to lines that were cut to a few hundred characters.
 * The first group is what stands before, the last the name; between them what `before` has. Groups with names would make
 * an object for each of thousands of lines.
 */
const form = (before: string, after = "", flags = "u") => new RegExp(`^(${before})${NAME}${after}`, flags);

const BY_KEYWORD = form(String.raw`${MODIFIERS}${KEYWORD}\s+(?:[\w$]+(?:\.|::|:(?=\w+\s*\()))*`);
/** What follows the name of a class or struct where it is defined, and not where it is used. */
const BODY = /^\s*(?:[{(<:;=[]|$|\/[/*]|extends\b|implements\b|where\b|final\b|with\b)/;
const WITH_BODY = /^(?:class|struct|union|enum|interface|trait|record|object)$/;
const LOCAL = /^(?:let|const|var|val|static)/;

const SQL = [
  String.raw`create\s+(?:or\s+replace\s+)?(?:unique\s+|temp\s+|temporary\s+|materialized\s+)?`,
  String.raw`(?:table|view|index|function|procedure|trigger|type|schema|sequence)\s+(?:if\s+not\s+exists\s+)?`,
  String.raw`(?:[\w"]+\.)?["\x60]?`,
].join("");

const FORMS: readonly (readonly [form: RegExp, score: number])[] = [
  // A method of Go.
  [form(String.raw`func\s+\([^)]*\)\s*`), SURELY],
  [form(String.raw`\((?:defn-?|defun|defmacro|define|defvar|defmethod|def)\s+\(?`), SURELY],
  [form(SQL, "", "ui"), SURELY],
  // name = function, class or arrow
  [
    form(
      String.raw`(?:[\w$]+\.)*`,
      String.raw`\s*[=:]\s*(?:async\b|function\b|class\b|\([\w$\s,:{}]*\)\s*=>|[\w$]+\s*=>)`,
    ),
    SURELY,
  ],
  [form(String.raw`(?:module\.)?exports\.`, String.raw`\s*=`), LIKELY],
  // name() { of a shell
  [form("", String.raw`\s*\(\)\s*\{?\s*$`), LIKELY],
  // A method with its body, or with its type.
  [
    form(
      String.raw`${MODIFIERS}(?:get\s+|set\s+)?[*#]?`,
      String.raw`${PARAMETERS}\s*(?:(?::|->|throws|const|noexcept|override)[^{};]*)?\{`,
    ),
    LIKELY,
  ],
  [form(String.raw`${MODIFIERS}(?:get\s+|set\s+)?#?`, String.raw`${PARAMETERS}\s*:\s*[^;{}]+;?\s*$`), LIKELY],
  // A selector of CSS.
  [form("[.#]", String.raw`[^;(]*[{,]\s*$`), LIKELY],
];

/** type name(, as C, C++, Java and C# have it. */
const TYPED = form(
  String.raw`([\p{L}_][\w:<>,&*[\]~]*)\s+(?:[\w:<>,&*[\]~]+\s+)*[*&]*(?:\w+::)*`,
  String.raw`\([^;]*$`,
);
const NO_TYPE =
  /^(?:return|else|new|throw|await|case|delete|goto|typeof|yield|import|from|export|if|not|and|or|is|do)$/;
const NO_METHOD =
  /^(?:if|for|while|switch|catch|return|function|super|await|typeof|new|else|do|with|assert|foreach|elif|except|when|match|unless|until|sizeof)$/;
/** name = …, at the beginning of a line: a constant of Python, a variable of a shell or a Makefile. */
const TOP_LEVEL = form("", String.raw`\s*(?::\s*[\w[\].,|]+\s*)?(?::=|\?=|=(?![=>~]))`);

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w:]|using\s+\w|(?:const|let|var)\s[^=]*=\s*(?:await\s+import|require)\s*\(|export\s+(?:type\s+)?[*{].*\bfrom\b|\}\s*from\s+["'])/;

/** Says that something is defined elsewhere. */
export function isImport(text: string): boolean {
  return IMPORT.test(text);
}

/** 0: it defines nothing that matched. */
export function definitionScore({ text, spans }: MatchedLine): number {
  const defined = definedIn(text);
  if (defined === undefined) return 0;
  const { from, to, score } = defined;
  if (spans.some((span) => span[0] <= from && to <= span[1])) return score;
  return spans.some((span) => span[0] < to && from < span[1]) ? PARTLY : 0;
}

interface Defined {
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

/** Which name the line defines. */
function definedIn(line: string): Defined | undefined {
  const text = line.trimStart();
  const indent = line.length - text.length;
  const defined = (match: RegExpExecArray, score: number): Defined => {
    const from = indent + (match[1] ?? "").length;
    return { from, to: from + nameIn(match).length, score };
  };
  const keyword = BY_KEYWORD.exec(text);
  if (keyword !== null) return isUse(text, keyword) ? undefined : defined(keyword, scoreOf(keyword, indent > 0));
  for (const [pattern, score] of FORMS) {
    const match = pattern.exec(text);
    if (match !== null && !NO_METHOD.test(nameIn(match))) return defined(match, score);
  }
  const typed = TYPED.exec(text);
  if (typed !== null && !isStatement(typed)) return defined(typed, LIKELY);
  const top = indent > 0 ? null : TOP_LEVEL.exec(text);
  return top === null ? undefined : defined(top, LIKELY);
}

/** `struct name variable`, `class name` in a sentence. */
function isUse(text: string, match: RegExpExecArray): boolean {
  return WITH_BODY.test(match[2] ?? "") && !BODY.test(text.slice(match[0].length));
}

function scoreOf(match: RegExpExecArray, isIndented: boolean): number {
  return LOCAL.test(match[2] ?? "") && isIndented ? LIKELY : SURELY;
}

function isStatement(typed: RegExpExecArray): boolean {
  return NO_TYPE.test(typed[2] ?? "") || NO_METHOD.test(nameIn(typed));
}

function nameIn(match: RegExpExecArray): string {
  return match[match.length - 1] ?? "";
}
