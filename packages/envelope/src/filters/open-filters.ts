import type { FilterFile } from "@llmc/config";
import type { CompiledFilter, Drops } from "./compile.js";

/** The operator's filters, compiled at the start. */
export interface Filters {
  /** Returns undefined where no filter fits the command. */
  dropsOf(command: string | readonly string[]): Promise<Drops | undefined>;
}

export interface CheckedFile {
  readonly path: string;
  /** Names of its filters; empty where the file cannot be read. */
  readonly names: readonly string[];
  readonly problem: string | null;
}

/** Checks patterns and examples, as a start does; for the command line. */
export async function checkFilters(files: readonly FilterFile[]): Promise<readonly CheckedFile[]> {
  return (await compileAll(files)).map(({ path, names, problem }) => ({ path, names, problem }));
}

/** Opens without loading code where there are no filters; reports each broken file, whose filters do not apply. */
export function openFilters(files: readonly FilterFile[], report: (problem: string) => void): Filters {
  const sound = files.filter(({ problem }) => problem === null);
  if (sound.length === 0) return { dropsOf: async () => undefined };
  const compiled = compileAll(sound).then((all) => {
    for (const { problem } of all) if (problem !== null) report(problem);
    return all.flatMap(({ filters }) => filters);
  });
  // Marks the promise as handled: a call that needs the filters gets the error.
  compiled.catch(() => {});
  return {
    async dropsOf(command) {
      const line = typeof command === "string" ? command : command.join(" ");
      const fitting = (await compiled).filter(({ fits }) => fits(line));
      return fitting.length === 0 ? undefined : (text) => fitting.some(({ drops }) => drops(text));
    },
  };
}

interface CompiledFile extends CheckedFile {
  readonly filters: readonly CompiledFilter[];
}

async function compileAll(files: readonly FilterFile[]): Promise<readonly CompiledFile[]> {
  const { compileFile, FilterError } = await import("./compile.js");
  return files.map((file) => {
    const { path, problem } = file;
    const names = file.filters.map(({ name }) => name);
    try {
      return { path, names, problem, filters: compileFile(file) };
    } catch (thrown) {
      if (!(thrown instanceof FilterError)) throw thrown;
      return { path, names, problem: `${path}: ${thrown.message}; the filters of this file do not apply`, filters: [] };
    }
  });
}
