/** An argument and the names that other servers and editors give it. */
export interface ArgumentAlias {
  readonly argument: string;
  /** Replaces the bare name in the answer, such as `mode: "append"`. */
  readonly say?: string;
  /** Lower-case letters and digits only, so that `filePath`, `file_path` and `file-path` are one name. */
  readonly names: readonly string[];
}

/** Names of other servers that models use. The surface gives this table, which words the answer to an unknown name. */
export interface Aliases {
  /** Rows in order of preference, because the first row whose argument the tool has is used. */
  readonly arguments: readonly ArgumentAlias[];
  /** Tools of other servers, in lower-case letters and digits only, and the tool here that does the same. */
  readonly tools: Readonly<Record<string, string>>;
  /** Maps an argument that counts from the beginning to its counterpart from the end, meant by a negative number. */
  readonly countsFromTheEnd: Readonly<Record<string, string>>;
}

export const NO_ALIASES: Aliases = { arguments: [], tools: {}, countsFromTheEnd: {} };

/** Returns the words for the argument that was most likely meant. */
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
