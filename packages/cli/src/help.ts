import type { Flag, Program } from "./command.js";

const ON_CONFIGURATION = [
  "Configuration: one file, the first of --config FILE, $LLMC_CONFIG, $XDG_CONFIG_HOME/llmc/llmc.toml",
  "(~/.config/llmc/llmc.toml). Flags win over LLMC_* variables, those over the file, the file over defaults.",
];

export function helpText(program: Program): string {
  const { name, version, summary, flags, commands, examples, notes = ON_CONFIGURATION } = program;
  const entries = [
    ...flags.map((flag) => [usageOf(flag), flag.help] as const),
    ...Object.entries(commands).map(([words, help]) => [words, help] as const),
  ];
  const width = Math.max(...entries.map(([usage]) => usage.length));
  const usage = program.usage ?? ["[flags] [DIR…]", ...Object.keys(commands).map((words) => `${words} [flags]`)];
  return [
    `${name} ${version}: ${summary}`,
    "",
    ...usage.map((rest, index) => `${index === 0 ? "Usage:" : "      "} ${name} ${rest}`),
    "",
    ...entries.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`),
    "",
    ...notes,
    "",
    "Examples:",
    ...examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

function usageOf({ name, value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}
