const BLANK = /^\s*$/;
/** A line that goes on with the lines above it, or ends them. */
const GOES_ON =
  /^\s*(?:[)\]}>{,.=&|?+*]|(?:else|elif|except|finally|catch|rescue|ensure|begin|where|extends|implements|throws)\b)/;
/** Lines of C that stand at the margin within braces: what a preprocessor reads, and labels. */
const AT_THE_MARGIN = /^(?:#\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|pragma)\b|\w+:\s*$)/;
/** A line that ends the block of the first line. */
const ENDS = /^\s*(?:[)\]}]|(?:end|fi|done|esac|endif|END)\b)/;
/** The end of a line that opens a part, be it behind the end of another one. */
const OPENS = /(?:[{([:=]|=>)\s*(?:\/[/*].*|#.*|--.*)?$/;
const OPENS_BRACE = /\{\s*(?:\/[/*].*)?$/;

/**
 * Counts the lines that belong to the definition in the first of them, by their indent: all that are indented more than
 * the first, and those at its own indent that go on with it. Undefined where the lines end and the block may not.
 */
export function blockLength(lines: readonly string[]): number | undefined {
  const base = indentOf(lines[0] ?? "");
  let end = 1;
  let isClosed = false;
  let hasBrace = OPENS_BRACE.test(lines[0] ?? "");
  for (const [index, line] of lines.entries()) {
    if (index === 0 || BLANK.test(line)) continue;
    if (isClosed) return end;
    const indent = indentOf(line);
    const isEnd = indent === base && ENDS.test(line);
    const goesOn = indent > base || isEnd || (indent === base && GOES_ON.test(line));
    if (!goesOn && !(hasBrace && AT_THE_MARGIN.test(line))) return end;
    end = index + 1;
    isClosed = isEnd && !OPENS.test(line);
    hasBrace ||= OPENS_BRACE.test(line);
  }
  return isClosed ? end : undefined;
}

/** A tab counts as four blanks, as most editors show it. */
function indentOf(line: string): number {
  const [space = ""] = /^[ \t]*/.exec(line) ?? [];
  return space.replaceAll("\t", "    ").length;
}
