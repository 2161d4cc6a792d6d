import { fileTextOf } from "./file-text.js";
import { withMark } from "./mark.js";
import type { Hunk } from "./plan.js";
import { oldLines } from "./readings.js";
import { keyOf, keyOfLine } from "./views.js";

/** Where a file that a diff deletes is not what the diff says, as the rest of a sentence; null if it is. */
export function whereUnlike(content: Buffer, hunks: readonly Hunk[]): string | null {
  const file = fileTextOf(content);
  const old = withMark(file, hunks).hunks.flatMap(({ lines }) => oldLines(lines));
  const same = old.findIndex(
    ({ text, end }, at) =>
      keyOf("trimmed", text, end, file) !== (at < file.count ? keyOfLine("trimmed", file, at) : null),
  );
  if (same !== -1)
    return same < file.count ? `its line ${same + 1} is not the one in the diff` : `it has only ${file.count} lines`;
  return old.length < file.count ? `it has ${file.count} lines, and the diff ${old.length}` : null;
}
