import { splitCommand } from "@llmc/te-shell";

/** Commands that bash has and the machine has not. */
const BUILTINS: ReadonlySet<string> = new Set(
  ". : alias bind builtin caller cd command compgen declare dirs eval exec exit export getopts hash help let local mapfile popd pushd read readarray readonly return set shift shopt source times trap type typeset ulimit umask unalias unset wait".split(
    " ",
  ),
);

/** Returns the program and its arguments. A single word with blanks is a line, which bash runs if it needs a shell. */
export function argvOf(words: readonly string[]): readonly string[] {
  if (!isLine(words)) return words;
  const [line = ""] = words;
  const split = splitCommand(line);
  const isProgram = "argv" in split && split.argv.length > 0 && !BUILTINS.has(split.argv[0] ?? "");
  return isProgram ? split.argv : ["bash", "-c", line];
}

/** Returns the command as its recogniser reads it. */
export function commandOf(words: readonly string[]): string | readonly string[] {
  return isLine(words) ? words.join(" ") : words;
}

function isLine(words: readonly string[]): boolean {
  return words.length === 1 && /\s/.test(words[0] ?? "");
}
