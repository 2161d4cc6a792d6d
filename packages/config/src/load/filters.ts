import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ConfigError } from "../error/config-error.js";
import { oneLine } from "../error/one-line.js";
import { readToml } from "./read-file.js";

const text = z.string();
const pattern = text.min(1).max(1_000);

const filterFile = z.strictObject({
  filter: z
    .array(
      z.strictObject({
        name: text.min(1).max(100),
        command: pattern,
        drop: z.array(pattern).min(1).max(100),
        example: z.array(z.strictObject({ input: text, shown: text })).default([]),
      }),
    )
    .min(1)
    .max(100),
});

/** Leaves lines out of the output of some commands. The patterns are not compiled here. */
export interface Filter {
  readonly name: string;
  readonly command: string;
  readonly drop: readonly string[];
  readonly example: readonly { readonly input: string; readonly shown: string }[];
}

/** A file of filters; a broken one has a problem in place of filters. */
export interface FilterFile {
  readonly path: string;
  readonly filters: readonly Filter[];
  readonly problem: string | null;
}

const FILES = 100;

/** Reads the operator's filters, in the order of their names. No folder means no filters. */
export async function readFilters(folder: string): Promise<readonly FilterFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".toml")).toSorted();
  return await Promise.all(files.slice(0, FILES).map((name) => readFilterFile(join(folder, name))));
}

async function readFilterFile(path: string): Promise<FilterFile> {
  try {
    const parsed = filterFile.safeParse(await readToml(path));
    if (parsed.success) return { path, filters: parsed.data.filter, problem: null };
    throw new ConfigError(problemOf(parsed.error.issues[0]), { origin: { label: path, file: path } });
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return { path, filters: [], problem: oneLine(`${thrown.message}; the filters of this file do not apply`) };
  }
}

/** Names the filter by its place, because the name itself may be wrong. */
function problemOf(issue: z.core.$ZodIssue | undefined): string {
  const [, index, ...rest] = issue?.path ?? [];
  const where = index === undefined ? "" : `filter ${Number(index) + 1}: `;
  const key = rest.length === 0 ? "" : `${rest.join(".")}: `;
  return `${where}${key}${issue?.message ?? "is not a list of filters"}`;
}
