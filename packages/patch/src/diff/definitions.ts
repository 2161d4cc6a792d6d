import { isBlank } from "../nearest/difference.js";
import type { FileText } from "./file-text.js";
import type { Budget } from "./line-search.js";
import { saysSomething } from "./readings.js";

// Words that a line may begin with which opens a block and names nothing.
const CONTROL =
  /^(?:if|else|elif|elsif|for|foreach|while|until|do|switch|case|default|try|catch|except|finally|with|when|match|unless|begin|return|then|loop|select|unsafe)\b/;
const KEYWORD =
  /^(?:(?:export|default|public|private|protected|internal|static|abstract|final|sealed|async|pub(?:\([^)]{0,40}\))?|inline|virtual|override|extern|declare|partial|open|data|const)\s+)*(?:function\b\*?|def|class|fn|func|fun|interface|struct|enum|union|impl|trait|module|namespace|sub|proc|procedure|record|macro|protocol|extension|CREATE|describe|test|it)\b/;
// What is longer names nothing, and an expression could take long on it.
const LONGEST = 400;
const HEADING = /^(?:\[[^\]]+\]|#{2,6}\s)/;

/** Whether a line names what the lines below it belong to: a function, a class, a key with lines of its own, a heading. */
export function isDefinition(line: string): boolean {
  const text = line.slice(0, LONGEST).trim();
  if (KEYWORD.test(text) || HEADING.test(text)) return true;
  return /[{:]$/.test(text) && saysSomething({ text }) && !CONTROL.test(text.replace(/^\}\s*/, ""));
}

/** What a definition is called. */
export function nameIn(line: string): string | undefined {
  const text = line.slice(0, LONGEST).trim();
  const called = /([\w$]+)\s*(?:<[^>]*>)?\(/.exec(text)?.[1];
  if (called !== undefined) return called;
  return text.replace(KEYWORD, "").match(/[\w$]+/)?.[0];
}

const FARTHEST = 2000;

/** The lines, from 0, that a line of the file stands in, innermost first: those above it that are indented less. */
export function ownersOf(file: FileText, line: number, budget?: Budget): readonly number[] {
  const owners: number[] = [];
  if (budget !== undefined) budget.left -= Math.min(line, FARTHEST);
  let indent = indentBelow(file, line);
  for (let at = Math.min(line, file.count) - 1; at >= 0 && at >= line - FARTHEST && indent > 0; at--) {
    const text = file.textOf(at);
    const own = indentOf(text);
    if (own === null || own >= indent) continue;
    // A bracket on a line of its own belongs to what stands above it.
    if (saysSomething({ text })) owners.push(at);
    indent = saysSomething({ text }) ? own : own + 1;
  }
  return owners;
}

/** The definitions that a line of the file stands in, innermost first. */
export function definitionsOver(file: FileText, line: number, budget?: Budget): readonly number[] {
  return ownersOf(file, line, budget).filter((at) => defines(file, at));
}

/** The same of a line whose bracket may stand alone on the next one. */
export function defines(file: FileText, line: number): boolean {
  const opens = line + 1 < file.count && file.textOf(line + 1).trim() === "{";
  return isDefinition(`${file.textOf(line)}${opens ? " {" : ""}`);
}

/** Of the first line from here on that is not blank. */
function indentBelow(file: FileText, line: number): number {
  for (let at = line; at < file.count && at < line + FARTHEST; at++) {
    const own = indentOf(file.textOf(at));
    if (own !== null) return own;
  }
  return 0;
}

/** How many blanks a line begins with; null if it has nothing else. */
export function indentOf(text: string): number | null {
  let at = 0;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at === text.length ? null : at;
}
