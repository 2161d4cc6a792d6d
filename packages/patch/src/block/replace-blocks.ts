import { InvalidArgumentError } from "@llmc/errors";
import { apply, movedBy } from "./changes.js";
import { checkEdits, type BlockEdit } from "./check-edits.js";
import { lineNumbers } from "./lines.js";
import { spending, turns, type Spend } from "./limits.js";
import { planEdit, type Plan } from "./plan-edit.js";
import { findOnce, newlinesBefore, replaceOnce, type Once } from "./once.js";
import { reportOf, type EditReport } from "./report.js";
import { FORGIVE_ALL, type Normalize } from "./shape.js";
import { snippetIn } from "./snippet.js";
import { LISTED } from "./task.js";
import { unitTextOf, type UnitText } from "./unit-text.js";

export interface ReplaceOptions {
  /** What messages call the file. */
  readonly path?: string;
  /** Whitespace that is forgiven where a block does not occur to the letter; none if left out. */
  readonly normalize?: true | Partial<Normalize> | undefined;
  /** Of the content after each edit. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Replaced {
  readonly content: Buffer;
  readonly replacementsMade: number;
  readonly edits: readonly EditReport[];
  /** The first replacement of the first edit with the lines around it, before all edits and after them. */
  readonly beforeSnippet: string;
  readonly afterSnippet: string;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
/** Units that the edits of a call may go through together: 500 edits of 2 MB, about a second. */
const MOST_WORK = 1024 * 1024 * 1024;

/**
 * Replaces the `oldText` of each edit, all or nothing. Edits are made in order: a later one sees the text that the
 * earlier ones left. What no edit touches keeps its bytes, whatever they are. Binary content is the caller's to refuse.
 */
export async function replaceBlocks(
  content: Buffer | string,
  edits: readonly BlockEdit[],
  { path = "the file", normalize, maxBytes = DEFAULT_MAX_BYTES, signal }: ReplaceOptions = {},
): Promise<Replaced> {
  checkEdits(edits);
  const original = typeof content === "string" ? Buffer.from(content) : content;
  const text = unitTextOf(original);
  const forgive = normalizeOf(normalize);
  const spendable = (): Spend => spending(path, Math.floor(maxBytes / text.bytesPerUnit));
  const takeTurn = turns(signal);
  await takeTurn();
  const quick = quickly(original, text, edits, forgive);
  if (quick !== undefined) return replacedOnce(original, text, quick, spendable());
  const done: Done[] = [];
  let units = text.units;
  let work = 0;
  for (const [nth, edit] of edits.entries()) {
    await takeTurn();
    checkWork(work, units.length, edits.length - nth);
    work += units.length;
    const index = edits.length === 1 ? undefined : nth;
    const plan = planEdit({ text, units, edit, index, path, normalize: forgive, spend: spendable() }, text.units);
    const moved = movedBy(plan.changes);
    for (const earlier of done) earlier.places = earlier.places.map(moved);
    done.push({ plan, places: plan.changes.froms.slice(0, LISTED).map(moved) });
    units = apply(units, plan.changes);
    spendable()(units.length);
  }
  return replaced(original, text, units, done);
}

function quickly(
  content: Buffer,
  text: UnitText,
  [edit, second]: readonly BlockEdit[],
  normalize: Normalize | undefined,
): Once | undefined {
  if (edit === undefined || second !== undefined || text.bytesPerUnit !== 1 || (edit.expected ?? 1) !== 1)
    return undefined;
  const fits = normalize?.lineEndings === true && edit.newText.includes("\n");
  return fits ? undefined : findOnce(content, edit);
}

function replacedOnce(original: Buffer, text: UnitText, once: Once, spend: Spend): Replaced {
  const { from, to, fresh, lineEnds } = once;
  spend(original.length - (to - from) + fresh.length);
  const content = replaceOnce(original, once);
  const lines = [newlinesBefore(original, from) + 1];
  return {
    content,
    replacementsMade: 1,
    edits: [{ replacements: 1, lines, ...(lineEnds === undefined ? {} : { lineEnds }) }],
    beforeSnippet: snippetIn(text, original, from, to),
    afterSnippet: snippetIn(text, content, from, from + fresh.length),
  };
}

interface Done {
  readonly plan: Plan;
  /** Where its first replacements begin; moved by the edits that follow. */
  places: readonly number[];
}

function replaced(original: Buffer, text: UnitText, units: string, done: readonly Done[]): Replaced {
  const content = text.toBytes(units);
  const { froms = [], tos = [], texts = [] } = done[0]?.plan.changes ?? {};
  const place = done[0]?.places[0] ?? 0;
  const end = Math.min(units.length, place + (texts[0]?.length ?? 0));
  const lines = lineNumbers(
    units,
    done.flatMap(({ places }) => places),
  );
  let read = 0;
  return {
    content,
    replacementsMade: done.reduce((sum, { plan }) => sum + plan.changes.froms.length, 0),
    edits: done.map(({ plan, places }) => reportOf(plan, lines.slice(read, (read += places.length)))),
    beforeSnippet: snippetIn(text, original, froms[0] ?? 0, tos[0] ?? 0),
    afterSnippet: snippetIn(text, content, place, end),
  };
}

function normalizeOf(given: ReplaceOptions["normalize"]): Normalize | undefined {
  if (given === true) return FORGIVE_ALL;
  const { trailingWhitespace = false, lineEndings = false, indentation = false } = given ?? {};
  return trailingWhitespace || lineEndings || indentation
    ? { trailingWhitespace, lineEndings, indentation }
    : undefined;
}

/** `left` edits are still to go through a text of this length. */
function checkWork(done: number, length: number, left: number): void {
  if (done + length * left <= MOST_WORK) return;
  throw new InvalidArgumentError(
    "These are too many edits for a file of this size; nothing was changed",
    `Send at most ${Math.floor(MOST_WORK / length)} in one call.`,
  );
}
