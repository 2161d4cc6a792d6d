import { OpsError } from "@llmc/errors";
import type { OpenFile } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../../../context/context.js";
import { budgetFor, DEFAULT_BUDGET } from "../../../answer/budget.js";
import type { Reading } from "./reading.js";
import { readText } from "./text.js";

/** The beginning of a text file, up to `maxBytes`: what seed 004's readers answer. */
export async function readPlain(file: OpenFile, maxBytes: number, context: LinuxOpsContext): Promise<Reading> {
  const budget = { ...budgetFor(maxBytes, DEFAULT_BUDGET.bytes), bytes: maxBytes };
  const wanted = { offsetLines: 0, maxLines: maxBytes, tailLines: undefined, pages: undefined, budget };
  return await readText(file, wanted, context).catch((thrown: unknown) => {
    throw otherHint(thrown);
  });
}

/** The way to what is no text is another tool's. */
function otherHint(thrown: unknown): unknown {
  if (!OpsError.is(thrown) || thrown.code !== "UNSUPPORTED_CONTENT") return thrown;
  return new OpsError(thrown.code, thrown.message, { hint: "linux.fs_read reads images and PDFs." });
}
