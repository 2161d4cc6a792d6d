import { AlreadyExistsError, PatchFailedError, type OpsError } from "@llmc/errors";

/** Part of a diff that a file already has. */
export interface There {
  readonly path: string;
  /** Lines at which the results of these hunks stand; empty for a new file that already exists with this content. */
  readonly hunks: readonly { readonly hunk: number; readonly line: number }[];
}

/** Formats a note such as `cart.py: hunk 1 was there already`. */
export function noteOn({ path, hunks }: There): string {
  if (hunks.length === 0) return `${path} was there already`;
  return `${path}: ${numbered(
    "hunk",
    hunks.map(({ hunk }) => hunk),
  )} ${hunks.length === 1 ? "was" : "were"} there already`;
}

/** Refuses a diff whose parts are all applied already. Needs at least one part. */
export function nothingLeft(parts: readonly There[]): OpsError {
  const [first, ...others] = parts;
  if (first !== undefined && first.hunks.length === 0 && others.length === 0)
    return new AlreadyExistsError(first.path, "It already has this content.");
  const failed = parts.flatMap(({ path, hunks }) =>
    hunks.map(({ hunk, line }) => ({ path, hunk, reason: "applied", lines: [line] })),
  );
  return new PatchFailedError(shownOf(parts).join(" "), { details: { failed, failed_count: failed.length } });
}

const MOST_FILES = 5;

function shownOf(parts: readonly There[]): readonly string[] {
  const said = parts.slice(0, MOST_FILES).map(({ path, hunks }) => {
    if (hunks.length === 0) return `${path} exists with this content.`;
    const lines = numbered(
      "line",
      hunks.map(({ line }) => line),
    );
    return `${path} already has ${numbered(
      "hunk",
      hunks.map(({ hunk }) => hunk),
    )} (${lines}).`;
  });
  return parts.length > MOST_FILES ? [...said, `So do ${parts.length - MOST_FILES} more files.`] : said;
}

const MOST_NUMBERS = 6;

function numbered(what: string, numbers: readonly number[]): string {
  if (numbers.length === 1) return `${what} ${numbers[0] ?? 0}`;
  const more = numbers.length - MOST_NUMBERS;
  const shown = numbers.slice(0, MOST_NUMBERS).join(", ");
  return `${what}s ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}
