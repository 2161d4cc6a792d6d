/** How a program says that it waits for a line. */
export interface Prompts {
  /** A whole last line that is a prompt for something new. */
  readonly ready: RegExp;
  /** Anywhere: a prompt for something new, or for more of what was begun. Each line of input brings one. */
  readonly each?: RegExp;
}

const LONGEST_PROMPT = 120;
const PYTHON: Prompts = { ready: /^(?:\.\.\. )*>>> $/, each: /(?:>>>|\.\.\.) /g };
const SHELL: Prompts = { ready: /^.{0,200}[$#%>] $/ };

/** By the name of the program, without its path and version. */
const KNOWN: Readonly<Record<string, Prompts>> = {
  python: PYTHON,
  pypy: PYTHON,
  ipython: { ready: /^In \[\d+\]: $/ },
  pdb: { ready: /^\(Pdb\) $/ },
  node: { ready: /^(?:(?:\.\.\.|\|) )*> $/, each: /(?:\.\.\.|\||>) /g },
  deno: { ready: /^> $/ },
  bun: { ready: /^> $/ },
  bash: SHELL,
  sh: SHELL,
  dash: SHELL,
  zsh: SHELL,
  ksh: SHELL,
  sqlite: { ready: /^(?: +\.\.\.> )*sqlite> $/, each: /(?:sqlite| +\.\.\.)> /g },
  psql: { ready: /^[\w.-]+[=!][#>] $/ },
  mysql: { ready: /^mysql> $/ },
  mariadb: { ready: /^MariaDB \[[^\]]*\]> $/ },
  gdb: { ready: /^\(gdb\) $/ },
  lldb: { ready: /^\(lldb\) $/ },
  irb: { ready: /^irb\([^)]*\):\d+(?::\d+)?[>*"'] ?$/ },
  ghci: { ready: /^(?:ghci|Prelude|\*?[\w. ]+)> $/ },
  R: { ready: /^> $/ },
  julia: { ready: /^julia> $/ },
  php: { ready: /^php > $/ },
  lua: { ready: /^> $/ },
};

export function knownPrompts(program: string): Prompts | undefined {
  const name = program.slice(program.lastIndexOf("/") + 1);
  return KNOWN[name] ?? KNOWN[name.replace(/[\d.]+$/, "")];
}

/** What stood last on a line of its own before anything was sent: a prompt, also with other numbers in it. */
export function learnPrompt(lastLine: string): Prompts | undefined {
  if (lastLine.trim() === "" || lastLine.length > LONGEST_PROMPT) return undefined;
  const pattern = lastLine.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\d+/g, "\\d+");
  return { ready: new RegExp(`^${pattern}$`, "u") };
}

/** What stands behind the last line end. */
export function lastLineOf(text: string): string {
  return text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
}
