import type { Filter, FilterFile } from "@llmc/config";
import { RE2JS } from "re2js";

/** Tells whether a line of stdout is left out. */
export type Drops = (line: string) => boolean;

export interface CompiledFilter {
  readonly fits: (command: string) => boolean;
  readonly drops: Drops;
}

/** Compiles the filters of a file and checks their examples. Throws a FilterError for the first that is broken. */
export function compileFile({ filters }: FilterFile): readonly CompiledFilter[] {
  return filters.map((filter) => {
    const compiled = compile(filter);
    filter.example.forEach((example, at) => {
      const shown = linesOf(example.input).filter((line) => !compiled.drops(line));
      if (shown.join("\n") === linesOf(example.shown).join("\n")) return;
      throw new FilterError(`filter ${filter.name}: example ${at + 1} is shown as ${JSON.stringify(shown.join("\n"))}`);
    });
    return compiled;
  });
}

export class FilterError extends Error {}

function compile({ name, command, drop }: Filter): CompiledFilter {
  const matches = (pattern: string) => {
    try {
      return RE2JS.compile(pattern);
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new FilterError(`filter ${name}: ${JSON.stringify(pattern)} is no pattern: ${why}`);
    }
  };
  const commands = matches(command);
  // Joins all patterns, because one pattern takes one pass; each must be valid by itself before.
  drop.forEach(matches);
  const lines = matches(drop.map((pattern) => `(?:${pattern})`).join("|"));
  return { fits: (line) => commands.test(line), drops: (line) => lines.test(line) };
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
