import { PatchFailedError } from "@llmc/errors";
import { textOf } from "@llmc/names";
import type { DiffLine } from "./plan.js";

export const ACCEPTED =
  "Accepted: unified or git diffs (`--- a/path`, `+++ b/path`, `@@ -1,3 +1,4 @@`, lines that start with a space, - or +; " +
  "/dev/null for a new or deleted file), and `*** Begin Patch` with `*** Update File: path`, `@@`, `*** End Patch`.";

const BINARY = /^(?:Binary files (.*) differ|GIT binary patch)$/;
const COMBINED = /^(?:@@@+ -|diff --(?:cc|combined) )/;
const CONTEXT = /^\*{3} \d+(?:,\d+)? \*{4}$/;
const NORMAL = /^\d+(?:,\d+)?[acd](?:\d+(?:,\d+)?)?$/;

/** Refuses, by its name, what no text can be made of. Asked only of lines outside hunks. `file`: whose part it is. */
export function refuseForm({ text }: DiffLine, file: string | null): void {
  const binary = BINARY.exec(text);
  if (binary !== null) {
    const named = file ?? textOf(binary[1] ?? "a file");
    throw new PatchFailedError(`The part of ${named} is binary, and only text can be patched`, {
      hint: { id: "write-binary" },
    });
  }
  if (COMBINED.test(text)) {
    throw new PatchFailedError("This is the combined diff of a merge (`@@@`), which has two old files", {
      hint: "Send a diff against one side: git diff <commit>.",
    });
  }
  if (CONTEXT.test(text)) throw otherForm("a context diff");
}

/** For a text in which there is no file at all. */
export function nothingFound(lines: readonly DiffLine[], text: string): PatchFailedError {
  if (lines.some((line) => NORMAL.test(line.text))) return otherForm("an ed script or a diff without file names");
  if (lines.length <= 1 && /\\n[-+ @]/.test(text)) {
    return new PatchFailedError("The diff is one line in which line breaks are written as \\n", {
      hint: "Send real line breaks.",
    });
  }
  const what = text.trim() === "" ? "is empty" : "names no file";
  return new PatchFailedError(`The diff ${what}`, { hint: ACCEPTED });
}

export function hunkWithoutFile(line: number): PatchFailedError {
  return new PatchFailedError(`The hunk in line ${line} of the diff belongs to no file`, {
    hint: "Write `--- a/path` and `+++ b/path` above it.",
  });
}

export function tooMany(what: string, limit: number): PatchFailedError {
  return new PatchFailedError(`The diff has more than ${limit} ${what}`, { hint: "Send it in parts." });
}

function otherForm(form: string): PatchFailedError {
  return new PatchFailedError(`This is ${form}`, { hint: ACCEPTED });
}
