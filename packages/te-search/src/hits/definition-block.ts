const BLANK = /^\s*$/;
/** Matches a line that continues or ends the lines above it. */
const GOES_ON =
  /^\s*(?:[)\]}>{,.=&|?+*]|(?:else|elif|except|finally|catch|rescue|ensure|begin|where|extends|implements|throws)\b)/;
/** Matches preprocessor lines and labels of C, which are not indented within braces. */
const AT_THE_MARGIN = /^(?:#\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|pragma)\b|\w+:\s*$)/;
/** Matches a line that ends the block of the first line. */
const ENDS = /^\s*(?:[)\]}]|(?:end|fi|done|esac|endif|END)\b)/;
/** Matches the end of a line that opens a part, even if it closes another part. */
const OPENS = /(?:[{([:=]|=>)\s*(?:\/[/*].*|#.*|--.*)?$/;
const OPENS_BRACE = /\{\s*(?:\/[/*].*)?$/;

/**
 * Counts the lines of the definition that begins in the first line: lines that are indented more, and lines at the same
 * indent that continue it. Returns undefined if the lines end before the definition surely does.
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

/** Counts a tab as four spaces, as most editors do. */
function indentOf(line: string): number {
  const [space = ""] = /^[ \t]*/.exec(line) ?? [];
  return space.replaceAll("\t", "    ").length;
}
