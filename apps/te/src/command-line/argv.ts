import { splitCommand } from "@llmc/te-shell";

/** Returns the program and its arguments. A single word with blanks is a line, which bash runs if it needs a shell. */
export function argvOf(words: readonly string[]): readonly string[] {
  if (!isLine(words)) return words;
  const [line = ""] = words;
  const split = splitCommand(line);
  return "argv" in split && split.argv.length > 0 ? split.argv : ["bash", "-c", line];
}

/** Returns the command as its recogniser reads it. */
export function commandOf(words: readonly string[]): string | readonly string[] {
  return isLine(words) ? words.join(" ") : words;
}

function isLine(words: readonly string[]): boolean {
  return words.length === 1 && /\s/.test(words[0] ?? "");
}
