import { InvalidArgumentError } from "@llmc/errors";

/** Types of files by ripgrep's names for them. All engines go by this table, so that a type means the same to each. */
const TYPES: Readonly<Record<string, string>> = {
  ts: "*.ts *.tsx *.cts *.mts",
};

export function globsOfType(type: string): readonly string[] {
  const globs = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (globs !== undefined) return globs.split(" ");
  throw new InvalidArgumentError(`There is no file type ${JSON.stringify(type.slice(0, 40))}`);
}
