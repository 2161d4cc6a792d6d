/** How a program says that it waits for a line. */
export interface Prompts {
  /** A whole last line that is a prompt for something new. */
  readonly ready: RegExp;
  /** Matches a whole last line that asks for the rest of a statement. */
  readonly more: RegExp;
  /** Matches a prompt at the end of a last line. */
  readonly end: RegExp;
  /** Counts the prompts of both kinds at line starts. Each line of input brings one. */
  count(text: string): number;
}

const LONGEST_PROMPT = 120;
const NEVER = "(?!)";

/**
 * Prompts that follow each other in one line if nothing is printed between them. `more` asks for the rest of a
 * statement.
 */
function prompts(ready: string, more: string = NEVER): Prompts {
  const any = `(?:${ready}|${more})`;
  const [runs, each] = [new RegExp(`^${any}+`, "gm"), new RegExp(any, "g")];
  return {
    ready: new RegExp(`^${any}*(?:${ready})$`),
    more: new RegExp(`^${any}*(?:${more})$`),
    end: new RegExp(`(?:${ready})$`),
    count: (text) => (text.match(runs) ?? []).reduce((sum, run) => sum + (run.match(each)?.length ?? 0), 0),
  };
}

/** Prompts of any text up to the given end, one in each line. */
function lines(ready: RegExp, more: RegExp = /(?!)/): Prompts {
  const start = new RegExp(ready.source.replace(/\$$/, ""), "gm");
  return { ready, more, end: ready, count: (text) => text.match(start)?.length ?? 0 };
}

const PYTHON = prompts(">>> ", "\\.\\.\\. ");
const SHELL = lines(/^.{0,200}?[$#%>] $/, /^> $/);
const IRB = prompts("irb\\([^)]*\\):\\d+(?::\\d+)?> ", "irb\\([^)]*\\):\\d+(?::\\d+)?[*\"'`/\\]] ");
const ARROW = prompts("> ");

/** By the name of the program, without its path and version. */
const KNOWN: ReadonlyMap<string, Prompts> = new Map(
  Object.entries({
    python: PYTHON,
    pypy: PYTHON,
    ipython: prompts("In \\[\\d+\\]: ", " +\\.\\.\\.: "),
    pdb: prompts("\\(Pdb\\) "),
    node: prompts("> ", "(?:\\.\\.\\.|\\|) "),
    deno: ARROW,
    bun: ARROW,
    bash: SHELL,
    sh: SHELL,
    dash: SHELL,
    zsh: SHELL,
    ksh: SHELL,
    sqlite: prompts("sqlite> ", " +\\.\\.\\.> "),
    psql: prompts("[\\w.-]+[=!^][*!?]?[#>] ", "[\\w.-]+[-('\"$*;][*!?]?[#>] "),
    mysql: prompts("mysql> ", " +-> "),
    mariadb: prompts("MariaDB \\[[^\\]]*\\]> ", " +-> "),
    gdb: prompts("\\(gdb\\) "),
    lldb: prompts("\\(lldb\\) "),
    irb: IRB,
    ruby: IRB,
    ghci: prompts("(?:ghci|Prelude|\\*?[\\w. ]+)> ", "(?:ghci|Prelude|\\*?[\\w. ]+)\\| "),
    R: prompts("> ", "\\+ "),
    julia: prompts("julia> "),
    php: prompts("php > ", "php [{('\"] "),
    lua: prompts("> ", ">> "),
  }),
);

export function knownPrompts(program: string): Prompts | undefined {
  const name = program.slice(program.lastIndexOf("/") + 1);
  return KNOWN.get(name) ?? KNOWN.get(name.replace(/[\d.]+$/, ""));
}

/** What stood last on a line of its own before anything was sent: a prompt, also with other numbers in it. */
export function learnPrompt(lastLine: string): Prompts | undefined {
  if (!/[^\s\d]/.test(lastLine) || lastLine.length > LONGEST_PROMPT) return undefined;
  const pattern = lastLine.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\d+/g, "\\d+");
  return lines(new RegExp(`^${pattern}$`));
}

/** What stands behind the last line end. */
export function lastLineOf(text: string): string {
  return text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
}
