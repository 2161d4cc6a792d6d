import { CommandNotAllowedError, InvalidArgumentError, type CommandList } from "@llmc/errors";
import { ALLOWED, MULTI_CALL, PRIVILEGE_RAISERS, UNSAFE } from "./built-in.js";
import { checkRules, judgeArguments } from "./judge-arguments.js";
import { splitCommand } from "./split-command.js";

/** What the operator wrote; undefined where he wrote nothing. */
export interface CommandLists {
  /** List for started processes, and for commands if `commands` is not set. */
  readonly allowed?: readonly string[] | undefined;
  /** List for commands, and for started processes if `allowed` is not set. */
  readonly commands?: readonly string[] | undefined;
  readonly unsafe?: readonly string[] | undefined;
  readonly allowUnsafe: boolean;
}

export interface Program {
  /** Where it was found. */
  readonly path: string;
  /** Without links: what is started, and what is judged. */
  readonly real: string;
}

/** Finds a program by its name on the fixed PATH, or by its path; undefined where there is none. */
export type Resolve = (name: string) => Promise<Program | undefined>;

export interface CommandRequest {
  /** A line is split into words; with shell syntax in it, or where a shell is asked for, bash takes it whole. */
  readonly command: { readonly argv: readonly string[] } | { readonly line: string; readonly isShell?: boolean };
  /** The caller waits for a command; a process runs on beside the caller. */
  readonly use: "command" | "process";
  /** Whether a working sandbox contains the command. */
  readonly isHeld: boolean;
  readonly resolve: Resolve;
}

/** What may be started, as which words; or the name for which there is no program: that is exit code 127, no refusal. */
export type Decision =
  | { readonly program: Program; readonly argv: readonly [string, ...string[]] }
  | { readonly missing: string; readonly builtin?: Builtin };

/** Builtin of the shell that changes nothing for the next command. */
export interface Builtin {
  /** Arguments of the builtin; undefined if bash would expand them. */
  readonly args: readonly string[] | undefined;
  /** Line that the caller wrote, or the caller's words joined by spaces. */
  readonly line: string;
}

export interface CommandPolicy {
  decide(request: CommandRequest): Promise<Decision>;
}

/**
 * Which programs may be started. A courtesy that tells a model early what will not do: names can always be got round. What
 * holds a command is the sandbox.
 */
export function commandPolicy(lists: CommandLists): CommandPolicy {
  checkRules();
  return {
    async decide(request) {
      const words = wordsOf(request.command);
      const builtin = builtinOf(words, request.command);
      if (builtin !== undefined) return builtin;
      const list = listFor(lists, request.use);
      return "shell" in words
        ? await decideShell(words, request, list, lists)
        : await decideProgram(words.argv, request, list, lists);
    },
  };
}

interface OwnList {
  readonly names: readonly string[];
  readonly list: CommandList;
}

type Argv = readonly [string, ...string[]];
type Shell = { readonly shell: string; readonly line: string };

function listFor({ allowed, commands }: CommandLists, use: CommandRequest["use"]): OwnList | undefined {
  const forProcesses = allowed && { names: allowed, list: "programs" as const };
  const forCommands = commands && { names: commands, list: "commands" as const };
  return use === "command" ? (forCommands ?? forProcesses) : (forProcesses ?? forCommands);
}

function wordsOf(command: CommandRequest["command"]): { readonly argv: Argv } | Shell {
  if ("argv" in command) return { argv: demandWords(command.argv) };
  const { line, isShell = false } = command;
  if (line.includes("\0")) throw new InvalidArgumentError("The command holds a NUL character");
  if (isShell) return { shell: "a shell line", line };
  const split = splitCommand(line);
  if ("unfinished" in split)
    throw new InvalidArgumentError(
      `The command ends inside a quote: ${split.unfinished}`,
      'Close it, or give the words as a list: ["echo", "it\'s"].',
    );
  if ("shell" in split) return { shell: split.shell, line };
  const argv = demandWords(split.argv);
  return BASH_ONLY.has(argv[0]) ? { shell: `${argv[0]}, which is part of bash`, line } : { argv };
}

/** Builtins of bash without a program of the same name, useful alone in a line. */
const BASH_ONLY = new Set(
  "command type exit eval exec : wait set unset ulimit umask read trap hash let declare local shopt jobs times".split(
    " ",
  ),
);

const BUILTINS = new Set(["cd", "pushd", "export", "source", ".", "alias"]);
/**
 * Matches a builtin with arguments for bash to expand. `source` is missing, because a script may do more than set up a
 * shell.
 */
const BUILTIN_LINE = /^\s*(cd|pushd|export|alias)\s[^|&;<>\n]*$/;

/** Returns a builtin that is alone in its line, because it would change only a shell that ends at once. */
function builtinOf(words: { readonly argv: Argv } | Shell, command: CommandRequest["command"]): Decision | undefined {
  if ("shell" in words) {
    const name = isShellAsked(command) ? undefined : BUILTIN_LINE.exec(words.line)?.[1];
    return name === undefined ? undefined : { missing: name, builtin: { args: undefined, line: words.line } };
  }
  const [name, ...args] = words.argv;
  const line = "line" in command ? command.line : words.argv.join(" ");
  return BUILTINS.has(name) ? { missing: name, builtin: { args, line } } : undefined;
}

function isShellAsked(command: CommandRequest["command"]): boolean {
  return "isShell" in command && (command.isShell ?? false);
}

function demandWords(argv: readonly string[]): Argv {
  const [program, ...rest] = argv;
  if (program === undefined || program === "")
    throw new InvalidArgumentError("The command is empty", 'Give a program and its arguments: "ls -la".');
  const nul = argv.findIndex((word) => word.includes("\0"));
  if (nul >= 0) throw new InvalidArgumentError(`Word ${nul} of the command holds a NUL character`);
  return [program, ...rest];
}

/** bash runs whatever it is told: it takes the operator's word, or a sandbox. */
async function decideShell(
  { shell, line }: Shell,
  request: CommandRequest,
  list: OwnList | undefined,
  lists: CommandLists,
): Promise<Decision> {
  const found = await request.resolve("bash");
  if (found === undefined) return { missing: "bash" };
  const why = shell.length > 2 ? shell : JSON.stringify(shell);
  const mayRun = list === undefined ? request.isHeld : await isOn(list.names, "bash", found, request.resolve);
  if (!mayRun)
    throw new CommandNotAllowedError(
      `${why} takes bash, ${list === undefined ? "and no sandbox holds it" : "which is not in the operator's list"}`,
      { id: "allow-bash", list: list?.list ?? "programs" },
    );
  await refuseOwnUnsafe("bash", found, request.resolve, lists);
  return { program: found, argv: ["bash", "-c", line] };
}

async function decideProgram(
  argv: Argv,
  request: CommandRequest,
  list: OwnList | undefined,
  lists: CommandLists,
): Promise<Decision> {
  const [name, ...args] = argv;
  const program = await request.resolve(name);
  // A name that exists nowhere tells nothing about the lists.
  if (program === undefined) return { missing: name };
  const names = namesOf(name, program);
  if (list === undefined) refuseByBuiltIn(name, names, request.isHeld, lists);
  else if (!(await isOn(list.names, name, program, request.resolve))) refuseUnlisted(name, list);
  await refuseOwnUnsafe(name, program, request.resolve, lists);
  if (!lists.allowUnsafe && (list !== undefined || !request.isHeld)) refuseArguments(name, names, args);
  return { program, argv };
}

/** Every name under which a rule may mean it. What a multi-call program does, only the name that it is started with tells. */
function namesOf(name: string, { path, real }: Program): readonly string[] {
  const own = [baseName(name), baseName(path)];
  return MULTI_CALL.has(baseName(real)) ? own : [...own, baseName(real)];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The same file by the same name: each name of a multi-call program is another one. */
async function isOn(entries: readonly string[], name: string, program: Program, resolve: Resolve): Promise<boolean> {
  for (const entry of entries) {
    if (baseName(entry) !== baseName(name) && entry !== program.real) continue;
    if ((await resolve(entry))?.real === program.real) return true;
  }
  return false;
}

const MOST_NAMED = 12;

function refuseUnlisted(name: string, { names, list }: OwnList): never {
  throw new CommandNotAllowedError(`${name} is not in the operator's list`, {
    id: "allowed-programs",
    list,
    names: names.slice(0, MOST_NAMED),
    more: Math.max(0, names.length - MOST_NAMED),
  });
}

/** By any name: an entry means the file that it leads to. */
async function refuseOwnUnsafe(name: string, program: Program, resolve: Resolve, lists: CommandLists): Promise<void> {
  if (lists.unsafe === undefined || lists.allowUnsafe) return;
  const names = namesOf(name, program);
  for (const entry of lists.unsafe) {
    const isMeant =
      names.includes(baseName(entry)) ||
      (!MULTI_CALL.has(baseName(program.real)) && (await resolve(entry))?.real === program.real);
    if (isMeant)
      throw new CommandNotAllowedError(`${name} is in the operator's list of unsafe programs`, {
        id: "allow-unsafe",
        program: name,
      });
  }
}

function refuseByBuiltIn(name: string, names: readonly string[], isHeld: boolean, lists: CommandLists): void {
  if (names.some((each) => PRIVILEGE_RAISERS.has(each)))
    throw new CommandNotAllowedError(`${name} raises privileges`, { id: "allow-program" });
  if (isHeld) return;
  const isUnsafe = names.some((each) => UNSAFE.has(each));
  if (name.includes("/") || !(ALLOWED.has(name) || isUnsafe))
    throw new CommandNotAllowedError(`${name} is not among the programs that run without a sandbox`, {
      id: "allow-program-or-sandbox",
    });
  if (isUnsafe && lists.unsafe === undefined && !lists.allowUnsafe)
    throw new CommandNotAllowedError(`${name} runs whatever it is told, and no sandbox holds it`, {
      id: "allow-program-or-sandbox",
    });
}

function refuseArguments(name: string, names: readonly string[], args: readonly string[]): void {
  const judged = judgeArguments(names, args);
  if (judged === undefined) return;
  throw new CommandNotAllowedError(`with ${JSON.stringify(shorten(judged.argument))} ${name} ${judged.does}`, {
    id: "without-that-argument",
  });
}

function shorten(argument: string): string {
  return argument.length > 60 ? `${argument.slice(0, 60)}…` : argument;
}
