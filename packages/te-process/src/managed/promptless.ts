/** Argument that makes an interpreter print its prompt without a terminal; null if no argument does. */
const SHOWS_PROMPT: ReadonlyMap<string, string | null> = new Map(
  Object.entries({
    python: "-i",
    pypy: "-i",
    node: "-i",
    bash: "-i",
    sh: "-i",
    dash: "-i",
    zsh: "-i",
    ksh: "-i",
    lua: "-i",
    php: "-a",
    sqlite: "-interactive",
    psql: null,
    mysql: null,
    mariadb: null,
    irb: null,
  }),
);

/**
 * Recognizes an interpreter that reads from a pipe without a prompt; else returns undefined. `start` is a command that
 * prints the prompt, or null.
 */
export function promptless(command: string): { readonly start: string | null } | undefined {
  const words = command.trim().split(/\s+/);
  const program = words[0] ?? "";
  const name = program.slice(program.lastIndexOf("/") + 1);
  const argument = [name, name.replace(/[\d.]+$/, "")]
    .map((each) => SHOWS_PROMPT.get(each))
    .find((each) => each !== undefined);
  // An interpreter with a file or a text to run is not interactive.
  const isBare = words.slice(1).every((word) => word.startsWith("-"));
  if (argument === undefined || !isBare || words.includes(argument ?? "")) return undefined;
  return { start: argument === null ? null : `${words.join(" ")} ${argument}` };
}
