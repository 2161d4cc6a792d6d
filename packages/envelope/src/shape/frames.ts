/** Paths of code that is not the project's. */
const FOREIGN =
  /node_modules\/|\bnode:(?:internal|[a-z_/]+:\d)|\binternal\/(?:process|modules|timers|main|test)|site-packages\/|dist-packages\/|\/lib\/python\d|\/usr\/(?:local\/)?(?:lib|go|share|include)\/|\/go\/(?:src|pkg\/mod)\/|\/rustc\/|\.cargo\/registry\/|\.rustup\/|\bjava\.base\/|\bjdk\.internal|\bsun\.reflect|\borg\.(?:junit|apache\.maven)\.|<frozen |^\s*\d+: <*(?:core|std|alloc|__rustc|test|fn)\b/;
const ANONYMOUS = /^\s*at (?:async )?(?:new )?[\w.<> ]+ \((?:<anonymous>|native|index \d+)\)/;
/** A line of a stack trace: JavaScript and Java; Python; Rust and gdb; a place alone. */
const FRAME = /^\s*(?:at \S|async \S|File "|#?\d+: +\S|#\d+ |❯ ).*|^\s*(?:[\w.<>$[\] ]+ \()?\S*:\d+:\d+\)?$/;

export function isFrame(line: string): boolean {
  return FRAME.test(line);
}

export function isForeignFrame(line: string): boolean {
  return isFrame(line) && (FOREIGN.test(line) || ANONYMOUS.test(line));
}

export function isForeignPath(path: string): boolean {
  return FOREIGN.test(path);
}
