import { ARGUMENT_RULES, type ArgumentRule } from "./argument-rules.js";
import { splitCommand } from "./split-command.js";

/** What no person writes is not read either: expressions would take long over it. */
const MAX_JUDGED = 4096;

/** What the arguments make the program do that it may not, or undefined. */
export function judgeArguments(
  names: readonly string[],
  args: readonly string[],
): { argument: string; does: string } | undefined {
  for (const rule of ARGUMENT_RULES) {
    if (!rule.programs.some((program) => names.includes(program))) continue;
    const argument = firstMatch(rule, args);
    if (argument !== undefined) return { argument, does: rule.does };
  }
  return undefined;
}

/** A rule that does not do what its examples say protects nobody: the start fails. */
export function checkRules(rules: readonly ArgumentRule[] = ARGUMENT_RULES): void {
  for (const rule of rules) {
    for (const line of rule.match) check(rule, line, true);
    for (const line of rule.notMatch) check(rule, line, false);
  }
}

function check(rule: ArgumentRule, line: string, expected: boolean): void {
  const split = splitCommand(line);
  const [program = "", ...args] = "argv" in split ? split.argv : [];
  if (!rule.programs.includes(program)) throw new Error(`This example is no command of its rule: ${line}`);
  if ((firstMatch(rule, args) !== undefined) !== expected)
    throw new Error(`The rule on ${rule.programs.join(", ")} is wrong about: ${line}`);
}

function firstMatch(rule: ArgumentRule, args: readonly string[]): string | undefined {
  const option = args.find((argument, at) => isOption(rule, argument, at === 0) || matches(rule.any, argument));
  return option ?? foreignCommand(rule, args);
}

function matches(any: RegExp | undefined, argument: string): boolean {
  return any !== undefined && (argument.length > MAX_JUDGED || any.test(argument));
}

function isOption(
  { words = [], long = [], short = "", valued = "", isBundled }: ArgumentRule,
  argument: string,
  isFirst: boolean,
): boolean {
  if (words.some((word) => (word.endsWith("*") ? argument.startsWith(word.slice(0, -1)) : argument === word)))
    return true;
  if (argument.startsWith("--")) return long.some((name) => isShortened(name, argument));
  const letters = argument.startsWith("-") ? argument.slice(1) : isFirst && isBundled === true ? argument : "";
  for (const letter of letters) {
    if (short.includes(letter)) return true;
    if (valued.includes(letter) && argument.startsWith("-")) return false;
  }
  return false;
}

/** getopt takes any beginning of a long option that fits no other. */
function isShortened(name: string, argument: string): boolean {
  const given = argument.split("=", 1)[0] ?? "";
  return given === name || (given.length > "--xx".length && name.startsWith(given));
}

function foreignCommand(
  { onlyCommands, valuesBefore = [] }: ArgumentRule,
  args: readonly string[],
): string | undefined {
  if (onlyCommands === undefined) return undefined;
  const command = args.find((argument, at) => !argument.startsWith("-") && !valuesBefore.includes(args[at - 1] ?? ""));
  return command === undefined || onlyCommands.includes(command) ? undefined : command;
}
