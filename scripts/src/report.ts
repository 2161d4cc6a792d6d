/** Findings of a check over the workspace: its figures, and a sentence for each bound that is exceeded. */
export interface Report {
  readonly table: string;
  readonly packages: number;
  readonly problems: readonly string[];
}

/** Prints a report as every check does. A check that found no package to read fails too. */
export function print(name: string, { table, packages, problems }: Report): void {
  console.log(table);
  for (const problem of problems) console.error(problem);
  console.log(`${name}: ${packages} packages, ${problems.length} problems`);
  if (packages === 0 || problems.length > 0) process.exitCode = 1;
}
