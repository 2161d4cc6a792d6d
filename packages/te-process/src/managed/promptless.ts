/** The argument that makes an interpreter show its prompt without a terminal; null where there is none. */
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
 * An interpreter that reads its program from a pipe and shows no prompt; undefined for all else. `start` is the command
 * that shows one.
 */
export function promptless(command: string): { readonly start: string | null } | undefined {
  const words = command.trim().split(/\s+/);
  const program = words[0] ?? "";
  const name = program.slice(program.lastIndexOf("/") + 1);
  const argument = [name, name.replace(/[\d.]+$/, "")]
    .map((each) => SHOWS_PROMPT.get(each))
    .find((each) => each !== undefined);
  // A file or a text to run makes it a program like any other.
  const isBare = words.slice(1).every((word) => word.startsWith("-"));
  if (argument === undefined || !isBare || words.includes(argument ?? "")) return undefined;
  return { start: argument === null ? null : `${words.join(" ")} ${argument}` };
}
