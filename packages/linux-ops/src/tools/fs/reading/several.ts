import { OpsError } from "@llmc/errors";
import type { LinuxOpsContext } from "../../../context/context.js";
import { withWayOut } from "../../../hints/missing.js";
import { worded } from "../../../hints/worded.js";
import { share, spend, type Budget } from "../../../answer/budget.js";
import type { Reading } from "./reading.js";
import { header } from "../../../answer/header.js";
import { renderReading } from "./render.js";

export interface SeveralWanted {
  readonly encoding: "text" | "base64";
  readonly budget: Budget;
  readonly readOne: (path: string, budget: Budget) => Promise<Reading>;
}

interface Entry extends Partial<Reading> {
  readonly path: string;
  readonly handle: string | null;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

/** Files share the answer's budget: what a short one leaves over goes to those after it. */
export async function readSeveral(paths: readonly string[], wanted: SeveralWanted, context: LinuxOpsContext) {
  const files: Entry[] = [];
  const parts: string[] = [];
  let left = wanted.budget;
  let images = 0;
  for (const [index, given] of paths.entries()) {
    context.signal.throwIfAborted();
    const entry = await entryOf(given, { ...wanted, budget: share(left, paths.length - index) }, context);
    if (entry.image !== undefined) images += 1;
    const text = textOf(entry, { encoding: wanted.encoding, asked: given, imageNumber: images });
    files.push(entry);
    parts.push(text);
    left = spend(left, text, entry.image);
  }
  const metas = files.flatMap(({ meta }) => (meta === undefined ? [] : [meta]));
  return {
    content: parts.join("\n"),
    handle: null,
    meta: {
      path: files.map((file) => file.path).join(", "),
      total_lines: metas.reduce((sum, meta) => sum + meta.total_lines, 0),
      truncated: metas.some((meta) => meta.truncated),
    },
    files,
  };
}

async function entryOf(given: string, { budget, readOne }: SeveralWanted, context: LinuxOpsContext): Promise<Entry> {
  try {
    const reading = await readOne(given, budget);
    return { path: reading.meta.path, ...reading };
  } catch (thrown) {
    const { code, message, hint } = known(worded(await withWayOut(thrown, context)));
    const path = given.length > LONGEST_SHOWN ? `${given.slice(0, LONGEST_SHOWN)}…` : given;
    return { path, handle: null, error: { code, message, ...(hint === undefined ? {} : { hint }) } };
  }
}

function textOf({ path, error, ...entry }: Entry, options: Parameters<typeof renderReading>[1]): string {
  if (error === undefined) return renderReading(entry as Reading, options);
  const { code, message, hint } = error;
  return `${header(path, [`${code}: ${message}`])}${hint === undefined ? "" : `\nHint: ${hint}`}`;
}

const LONGEST_SHOWN = 300;

/** A fault of ours must not hide in one file's entry. */
function known(thrown: unknown): OpsError {
  const error = OpsError.from(thrown);
  if (error.code === "INTERNAL") throw error;
  return error;
}
