/** One program of a command line with its arguments. */
export interface Simple {
  readonly program: string;
  readonly args: readonly string[];
}

export interface CommandLine {
  /** Programs whose output the line prints, in order; of a pipe only its last. */
  readonly printing: readonly Simple[];
  /** A pipe's end that chooses lines of what comes before it. */
  readonly isSelected: boolean;
}

const WORD =
  /(?:[^\s'"\\|&;<>()]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+|\|\||&&|[|&;()\n]|\d*(?:>>|>&|<&|&>|>|<)\s*(?:&?\d+-?)?/g;
const REDIRECT = /^\d*(?:>>|>&|<&|&>|>|<)/;
const SELECTORS = new Set([
  "head",
  "tail",
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "sed",
  "awk",
  "gawk",
  "cut",
  "sort",
  "uniq",
  "jq",
  "yq",
  "tr",
  "column",
  "nl",
  "fold",
  "less",
  "more",
  "fzf",
  "perl",
  "python3",
  "python",
  "node",
  "xxd",
  "base64",
  "paste",
  "rev",
  "tac",
]);
/** Programs at the end of a pipe that hand on all lines. */
const HANDS_ON = new Set(["tee", "cat"]);
/** Programs that print a word or two beside the output of others. */
const REMARKS = new Set(["echo", "printf", "pwd", "date", "whoami", "hostname", ":"]);

/** Reads the names of programs from a command. Good enough for a choice of grammar; nothing is run by it. */
export function parseCommand(command: string | readonly string[]): CommandLine {
  if (typeof command !== "string") return { printing: [unwrapped([...command])], isSelected: false };
  const pipes: string[][][] = [[[]]];
  for (const word of command.match(WORD) ?? []) {
    if (word === "|") pipes.at(-1)?.push([]);
    else if (["||", "&&", ";", "&", "\n", "(", ")"].includes(word)) pipes.push([[]]);
    else pipes.at(-1)?.at(-1)?.push(unquoted(word));
  }
  const all = pipes
    .map((pipe) =>
      pipe
        .map(withoutRedirects)
        .filter((words) => words.length > 0)
        .map(unwrapped),
    )
    .filter((pipe) => pipe.length > 0);
  const ends = all.map((pipe) => ({ end: endOf(pipe), isPiped: pipe.length > 1 }));
  const loud = ends.filter(({ end }) => !SILENT.has(end.program));
  const telling = loud.filter(({ end, isPiped }) => isPiped || !REMARKS.has(end.program));
  const told = telling.length > 0 ? telling : loud;
  const last = told.at(-1);
  return {
    printing: told.map(({ end }) => end),
    isSelected: last?.isPiped === true && SELECTORS.has(last.end.program),
  };
}

function endOf(pipe: readonly Simple[]): Simple {
  const end = pipe.findLast(({ program }, at) => at === 0 || !HANDS_ON.has(program));
  return end ?? { program: "", args: [] };
}

const SILENT = new Set([
  "cd",
  "export",
  "set",
  "source",
  ".",
  "mkdir",
  "true",
  "sleep",
  "pushd",
  "popd",
  "unset",
  "rm",
  "cp",
  "mv",
  "touch",
]);

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, one?: string, two?: string, three?: string) => one ?? two ?? three ?? "",
  );
}

function withoutRedirects(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!REDIRECT.test(word)) kept.push(word);
    else if (!/&\s*\d+-?$|\d$/.test(word)) at += 1;
  }
  return kept;
}

/** Programs that run the program behind them. */
const WRAPPERS = new Set([
  "sudo",
  "env",
  "time",
  "nice",
  "nohup",
  "npx",
  "bunx",
  "pnpx",
  "exec",
  "command",
  "stdbuf",
  "setarch",
  "xargs",
  "timeout",
  "uvx",
  "dotenv",
  "caffeinate",
  "script",
  "chronic",
  "doas",
  "ionice",
  "taskset",
  "strace",
  "catchsegv",
  "xvfb-run",
]);
/** `uv run X`, `pnpm exec X`. */
const RUNNERS: Readonly<Record<string, RegExp>> = {
  uv: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  hatch: /^run$/,
  rye: /^run$/,
  pdm: /^run$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  npm: /^exec$/,
  bundle: /^exec$/,
  bun: /^x$/,
  corepack: /^(?:npm|pnpm|yarn)$/,
  mise: /^(?:x|exec)$/,
  nix: /^run$/,
};
const TAKES_VALUE = /^-(?:n|N|I|P|L|s|C|u|k|c|w)$/;

function unwrapped(words: readonly string[]): Simple {
  let rest = [...words];
  for (;;) {
    while (/^\w+=/.test(rest[0] ?? "")) rest = rest.slice(1);
    const program = (rest[0] ?? "").replace(/^.*\//, "");
    if (WRAPPERS.has(program) && rest.length > 1) rest = behind(program, rest.slice(1));
    else if (RUNNERS[program]?.test(rest[1] ?? "") === true && rest.length > 2)
      rest = program === "corepack" ? rest.slice(1) : rest.slice(2);
    else if (/^python[\d.]*$|^pypy3?$|^py$/.test(program) && rest.includes("-m"))
      rest = rest.slice(rest.indexOf("-m") + 1);
    else if (/^(?:ba|z|da)?sh$/.test(program) && /^-\w*c$/.test(rest[1] ?? "") && rest[2] !== undefined)
      return lastOf(rest[2]);
    else return { program: program.replace(/\.(?:exe|cmd|sh)$/, ""), args: rest.slice(1) };
    if (rest.length === 0) return { program, args: [] };
  }
}

function lastOf(line: string): Simple {
  return parseCommand(line).printing.at(-1) ?? { program: "", args: [] };
}

function behind(program: string, words: readonly string[]): string[] {
  let rest = [...words];
  while ((rest[0] ?? "").startsWith("-") || /^\w+=/.test(rest[0] ?? ""))
    rest = rest.slice(TAKES_VALUE.test(rest[0] ?? "") ? 2 : 1);
  if (program === "timeout" && rest.length > 1) rest = rest.slice(1);
  return rest;
}
