import { isLog } from "../grammar/log.js";
import type { Simple } from "./command.js";
import type { Recogniser } from "./recogniser.js";

/** A script of the project may run any tool, so the output tells more than the name. */
const SCRIPTS =
  /^(?:npm|pnpm|yarn|bun|make|just|task|docker|podman|invoke|rake|nx|turbo|lerna|\S+\.(?:sh|py|js|ts|mjs))\b(?! (?:install|i|ci|add|ls|list|audit|outdated|remove|inspect|ps|images|why)\b)/;

const READERS = /^(?:cat|bat|batcat|less|more|zcat|xzcat|nl)\b/;
const LARGE = 20_000;

/** Lines at the beginning and at the end of an output in which a sign is looked for. */
const SAMPLE = 2000;

/** Kinds that an output may be of, the likeliest first. Looks for signs only if no program name tells the kind. */
export function* recognise(
  recognisers: readonly Recogniser[],
  programs: readonly Simple[],
  lines: readonly string[],
): Generator<Recogniser> {
  const names = programs
    .map(({ program, args }) => [program, ...args.filter((arg) => !arg.startsWith("-"))].slice(0, 2).join(" "))
    .toReversed();
  // The text of a file is what the caller wants, unless it is a log or large data.
  const isFile = names.some((name) => READERS.test(name));
  // Keeps a kind that takes any line away from the output of other programs.
  const isMixed = new Set(programs.map(({ program }) => program)).size > 1;
  const named = names
    .flatMap((name) => recognisers.find((each) => each.programs?.test(name) === true) ?? [])
    .filter(({ takesAll }) => !(isMixed && takesAll === true));
  const isNamedFirst = !names.some((name) => SCRIPTS.test(name));
  // A stack trace may stand in any output; other kinds know more.
  const last = named.filter(({ name }) => name === "trace");
  const first = named.filter(({ name }) => name !== "trace");
  if (isNamedFirst) yield* first;
  if (isLog(lines)) yield* recognisers.filter(({ name }) => name === "log");
  const text =
    lines.length <= 2 * SAMPLE ? lines.join("\n") : [...lines.slice(0, SAMPLE), ...lines.slice(-SAMPLE)].join("\n");
  const signed = recognisers.filter(({ sign }) => sign?.test(text) === true);
  if (isFile) yield* lines.join("\n").length > LARGE ? signed.filter(({ name }) => name === "json") : [];
  else yield* signed.filter(({ name }) => name !== "trace");
  if (!isNamedFirst) yield* first;
  if (!isFile) yield* last.length > 0 ? last : signed.filter(({ name }) => name === "trace");
}
