const SHOWN = 6;

/** The first lines in which two texts differ, as a diff shows them. */
export function firstDifference(before: string, after: string): string {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const start = fresh.findIndex((line, index) => line !== old[index]);
  const from = start === -1 ? fresh.length : start;
  const part = (lines: readonly string[], mark: string) =>
    lines.slice(from, from + SHOWN).map((line) => `${mark} ${line}`);
  return [`@@ line ${from + 1}`, ...part(old, "-"), ...part(fresh, "+")].join("\n");
}
