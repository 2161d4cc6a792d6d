import { isForeignFrame, isForeignPath, isFrame } from "../shape/frames.js";
import { asIs, made, type Grammar, type Piece } from "../shape/piece.js";

/** Begins a stack trace of Python, Node, Go, Rust or Java, or a report of a sanitizer. */
export const TRACE =
  /^Traceback \(most recent call last\):|^\s+at \S+.*[:(]\d+|^goroutine \d+ \[|^thread '.*panicked at|^Exception in thread|^Caused by: |^==\d+==\s*(?:ERROR|Invalid|HEAP|Conditional|Memcheck)|^WARNING: ThreadSanitizer/m;
const PYTHON_FRAME = /^\s*File ".*", line \d+/;
/** A place on a line of its own, below the name of the function: Go and Rust. */
const PLACE_BELOW = /^\t\S+:\d+|^\s+at \S+:\d+(?::\d+)?$/;
const NATIVE =
  /^\s*#\d+ 0x[0-9a-f]+ in (?:__|_start|main_thread|<null>)|\/(?:libc|libasan|libtsan|libpthread|ld-linux)[^/]*\.so|\(BuildId:|\(in \/usr\//;
const SHADOW = /^\s*(?:=>)?0x[0-9a-f]+:(?: |$)|^Shadow b|^ {2}[A-Z][\w ()-]+:\s+[0-9a-f]{2}(?: |$)/;
/** Mark of a sanitizer or of valgrind before each line. */
const MARK = /^==\d+== ?/;
const CHATTER =
  /^(?:Memcheck, a memory|Copyright \(C\)|Using Valgrind|Command: |For (?:lists of|counts of)|Use --track|rerun with|HEAP SUMMARY|stack backtrace:|note: (?:Some details are omitted|run with `RUST_BACKTRACE))/;

/** Programs that crashed: messages, and of the stack the project's own frames. */
export const trace: Grammar = (lines) => {
  const seen = new Set<string>();
  const pieces = lines.flatMap((line, at): Piece[] => {
    const text = line.replace(MARK, "");
    const [above = "", below = ""] = [lines[at - 1], lines[at + 1]];
    if (text.trim() === "" || CHATTER.test(text) || NATIVE.test(line) || SHADOW.test(line)) return [];
    if (isForeignFrame(text) || /^\s+[\^~]+\s*$/.test(text)) return [];
    // The name of a function and its place go together.
    if (PLACE_BELOW.test(below) && isForeignPath(below) && !/^\s*(?:panic|goroutine|thread)/.test(text)) return [];
    if (PLACE_BELOW.test(text) && isForeignPath(text)) return [];
    const isSource = PYTHON_FRAME.test(above) && /^\s{4,}\S/.test(text);
    if (isSource && isForeignFrame(above)) return [];
    // A recursion repeats its frames.
    const frame = isSource ? `${above}\n${text}` : text;
    if ((isFrame(text) || isSource) && seen.has(frame)) return [];
    seen.add(frame);
    return [text === line ? asIs(line) : made(text, 1)];
  });
  return pieces.length < lines.length ? pieces : undefined;
};
