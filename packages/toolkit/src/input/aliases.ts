/** An argument and the names that other servers and editors give it. */
export interface ArgumentAlias {
  readonly argument: string;
  /** Stands in the answer where the bare name would not do, such as `mode: "append"`. */
  readonly say?: string;
  /** Letters and digits alone: `filePath`, `file_path` and `file-path` are one alias. */
  readonly names: readonly string[];
}

/** Names that models bring along; the surface gives the table, and unknown names are answered from it. */
export interface Aliases {
  /** The first row whose argument the tool has counts. */
  readonly arguments: readonly ArgumentAlias[];
  /** Tools of other servers by letters and digits alone, and the tool here that does the same. */
  readonly tools: Readonly<Record<string, string>>;
  /** By an argument that counts from the beginning: the one that counts from the end, meant by a negative number. */
  readonly countsFromTheEnd: Readonly<Record<string, string>>;
}

export const NO_ALIASES: Aliases = { arguments: [], tools: {}, countsFromTheEnd: {} };

/** The words for the argument that a tool most likely has under another name. */
export function meantArgument(aliases: Aliases, given: string, known: readonly string[]): string | undefined {
  const name = plain(given);
  const alias = aliases.arguments.find(({ argument, names }) => names.includes(name) && known.includes(argument));
  return known.find((argument) => plain(argument) === name) ?? alias?.say ?? alias?.argument;
}

/** The tool that a name from another server stands for. */
export function meantTool(aliases: Aliases, given: string, known: readonly string[]): string | undefined {
  const name = plain(given);
  const meant = Object.hasOwn(aliases.tools, name) ? aliases.tools[name] : undefined;
  return meant !== undefined && known.includes(meant) ? meant : undefined;
}

function plain(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}
