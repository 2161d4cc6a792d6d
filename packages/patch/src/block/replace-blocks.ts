import { InvalidArgumentError } from "@llmc/errors";
import type { Encoding } from "../text/encoding.js";
import { apply, movedBy, NO_CHANGES } from "./changes.js";
import { changedLines, type ChangedLine } from "./changed-lines.js";
import { checkEdits, type BlockEdit } from "./check-edits.js";
import { lineNumbers } from "./lines.js";
import { spending, turns, type Spend } from "./limits.js";
import { missing } from "./mismatch.js";
import { newTextStarts } from "./next-try.js";
import { planEdit, type Plan } from "./plan-edit.js";
import { findOnce, newlinesBefore, replaceOnce, type Once } from "./once.js";
import { reportOf, type EditReport } from "./report.js";
import { FORGIVE_ALL, type Normalize } from "./shape.js";
import { snippetIn, windowAround } from "./snippet.js";
import { LISTED, type Task } from "./task.js";
import { unitTextOf, type UnitText } from "./unit-text.js";

export interface ReplaceOptions {
  /** What messages call the file. */
  readonly path?: string;
  /**
   * Whitespace to forgive at every place if a block does not occur to the letter. The default forgives whitespace if
   * one place fits and one difference tells how to indent the new text. Line ends are forgiven everywhere.
   */
  readonly normalize?: true | Partial<Normalize> | undefined;
  /** Of the content after each edit. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Replaced {
  readonly content: Buffer;
  /** Encoding of the file, which the edit keeps. */
  readonly encoding: Encoding["name"];
  readonly replacementsMade: number;
  readonly edits: readonly EditReport[];
  /** The first replacement of the first edit with the lines around it, before all edits and after them. */
  readonly beforeSnippet: string;
  readonly afterSnippet: string;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
/** Places of an edit that an answer has room to display. */
const SHOWN_PLACES = 5;
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
    const task = { text, units, edit, index, path, normalize: forgive, spend: spendable() };
    const isInVain = nth === edits.length - 1 && done.every(({ plan }) => plan.made !== undefined);
    const plan = planEdit(task) ?? (isInVain ? undefined : madeAlready(task));
    if (plan === undefined) throw missing(task, text.units);
    const moved = movedBy(plan.changes);
    for (const earlier of done) earlier.places = earlier.places.map(moved);
    const places = plan.made ?? plan.changes.froms.slice(0, LISTED).map(moved);
    done.push({ plan, places, changed: changedLines(text, units, plan.changes, SHOWN_PLACES) });
    units = apply(units, plan.changes);
    spendable()(units.length);
  }
  return replaced(original, text.toBytes(units, path), { text, units, done });
}

/** Accepts an edit as done if its new text occurs as often as expected and its old text does not occur. */
function madeAlready(task: Task): Plan | undefined {
  const made = newTextStarts(task);
  return made.length === 0 ? undefined : { changes: NO_CHANGES, forgiven: new Map(), lineEnds: undefined, made };
}

function quickly(
  content: Buffer,
  text: UnitText,
  [edit, second]: readonly BlockEdit[],
  normalize: Normalize | undefined,
): Once | undefined {
  if (edit === undefined || second !== undefined || text.name !== "utf-8" || (edit.expected ?? 1) !== 1)
    return undefined;
  const fits = normalize?.lineEndings === true && edit.newText.includes("\n");
  return fits ? undefined : findOnce(content, edit);
}

function replacedOnce(original: Buffer, text: UnitText, once: Once, spend: Spend): Replaced {
  const { from, to, fresh, lineEnds } = once;
  spend(original.length - (to - from) + fresh.length);
  const content = replaceOnce(original, once);
  const line = newlinesBefore(original, from) + 1;
  const { least, units } = windowAround(text, original, from, to);
  const change = { froms: [from - least], tos: [to - least], texts: [fresh.toString("latin1")] };
  const changed = changedLines(text, units, change, 1);
  const places = changed.map(({ count, above, old, fresh }) => ({ line: line + above, count, old, fresh }));
  return {
    content,
    encoding: text.name,
    replacementsMade: 1,
    edits: [{ replacements: 1, lines: [line], places, ...(lineEnds === undefined ? {} : { lineEnds }) }],
    beforeSnippet: snippetIn(text, original, from, to),
    afterSnippet: snippetIn(text, content, from, from + fresh.length),
  };
}

interface Done {
  readonly plan: Plan;
  /** Offsets of the first replacements, or of a new text already in the file; later edits move them. */
  places: readonly number[];
  readonly changed: readonly ChangedLine[];
}

interface AllDone {
  readonly text: UnitText;
  readonly units: string;
  /** Edits in order; at least one of them changed the text. */
  readonly done: readonly Done[];
}

function replaced(original: Buffer, content: Buffer, { text, units, done }: AllDone): Replaced {
  const first = done.find(({ plan }) => plan.made === undefined);
  const { froms, tos, texts } = first?.plan.changes ?? NO_CHANGES;
  const place = first?.places[0] ?? 0;
  const end = Math.min(units.length, place + (texts[0]?.length ?? 0));
  const lines = lineNumbers(
    units,
    done.flatMap(({ places }) => places),
  );
  let read = 0;
  return {
    content,
    encoding: text.name,
    replacementsMade: done.reduce((sum, { plan }) => sum + plan.changes.froms.length, 0),
    edits: done.map(({ plan, places, changed }) => reportOf(plan, lines.slice(read, (read += places.length)), changed)),
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
