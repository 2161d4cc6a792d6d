import {
  BARE,
  BY_KEYWORD,
  CONSTANT,
  DECLARES,
  FORMS,
  LIKELY,
  MEMBER,
  PARTLY,
  PROPERTY,
  SURELY,
  TOP_LEVEL,
  TYPED,
  TYPED_BEHIND,
  VARIABLE,
  WITHOUT_CODE,
  WITH_CODE,
} from "./definition-forms.js";

/** A line that matches, and where. */
export interface MatchedLine {
  readonly text: string;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** What follows the name of a class or struct where it is defined, and not where it is used. */
const BODY = /^\s*(?:[{(<:;=[#]|$|\/[/*]|extends\b|implements\b|where\b|final\b|with\b|(?:\w+\s+)*constructor\b)/;
const WITH_BODY = /^(?:class|struct|union|enum|interface|trait|record|object)$/;
const LOCAL = /^(?:let|const|var|val|static)/;

const NO_TYPE =
  /^(?:return|else|new|throw|await|case|delete|goto|typeof|yield|import|from|export|if|not|and|or|is|do|assert|print|echo|die|package|use|using|include|require|co_return|co_await|emit|del|in|as|throws|template|module|alias|set|unset|local|let|var|val)$/;
const NO_METHOD =
  /^(?:if|for|while|switch|catch|return|function|super|await|typeof|new|else|do|with|assert|foreach|elif|except|when|match|unless|until|sizeof)$/;
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
  const keyword = BY_KEYWORD.exec(text);
  if (keyword !== null && !isUse(text, keyword)) return found(keyword, indent, scoreOf(keyword, indent > 0));
  for (const [pattern, score] of FORMS) {
    const match = pattern.exec(text);
    if (match !== null && !NO_METHOD.test(nameIn(match))) return found(match, indent, score);
  }
  return typed(text, indent);
}

function typed(text: string, indent: number): Defined | undefined {
  const match = TYPED.exec(text);
  const score = match === null || isStatement(match) ? 0 : scoreBehind(text.slice(match[0].length), indent > 0);
  if (match !== null && score >= LIKELY) return found(match, indent, score);
  const member = MEMBER.exec(text) ?? CONSTANT.exec(text) ?? (indent > 0 ? null : TOP_LEVEL.exec(text));
  if (member !== null) return found(member, indent, LIKELY);
  if (match !== null && score > 0) return found(match, indent, score);
  const behind = indent > 0 ? TYPED_BEHIND.exec(text) : null;
  if (behind !== null) return found(behind, indent, DECLARES);
  const bare = indent > 0 ? null : BARE.exec(text);
  return bare === null ? undefined : found(bare, indent, PARTLY);
}

/** By what follows a type and a name. */
function scoreBehind(rest: string, isIndented: boolean): number {
  if (WITH_CODE.test(rest) || PROPERTY.test(rest)) return LIKELY;
  if (VARIABLE.test(rest)) return isIndented ? DECLARES : LIKELY;
  return WITHOUT_CODE.test(rest) ? DECLARES : 0;
}

function found(match: RegExpExecArray, indent: number, score: number): Defined {
  const name = nameIn(match);
  const from = indent + (match[1] ?? "").length;
  // Signs of PHP, of Ruby and of what may be absent are seldom asked for.
  const signs = [name.startsWith("$"), /[?!]$/.test(name)].map(Number) as [number, number];
  return { from: from + signs[0], to: from + name.length - signs[1], score };
}

/** `struct name variable`, `class name` in a sentence. */
function isUse(text: string, match: RegExpExecArray): boolean {
  return WITH_BODY.test(match[2] ?? "") && !BODY.test(text.slice(match[0].length));
}

function scoreOf(match: RegExpExecArray, isIndented: boolean): number {
  return LOCAL.test(match[2] ?? "") && isIndented ? LIKELY : SURELY;
}

function isStatement(match: RegExpExecArray): boolean {
  const type = match[2] ?? "";
  return NO_TYPE.test(type) || NO_METHOD.test(type) || NO_METHOD.test(nameIn(match));
}

function nameIn(match: RegExpExecArray): string {
  return match[match.length - 1] ?? "";
}
