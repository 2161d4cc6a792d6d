import { budgetFor } from "../../../answer/budget.js";
import { shownHandle } from "../../../answer/handle.js";
import { asAsked, header } from "../../../answer/header.js";
import { counted, grouped } from "../../../answer/line.js";
import type { Entry } from "./entry.js";
import { layOut, type ShownTree } from "./shown-tree.js";

export interface ListResult {
  readonly path: string;
  readonly entries: readonly Entry[];
  readonly handle?: string | null | undefined;
  readonly total_entries: number;
  readonly hidden?: number | undefined;
  readonly ignored?: number | undefined;
  readonly folders_not_entered?: number | undefined;
}

export interface ListArgs {
  readonly depth: number;
  readonly path: string;
  readonly file_glob?: string | null | undefined;
  readonly max_entries: number;
  readonly sizes?: boolean | undefined;
}

export const DEFAULT_ENTRIES = 500;
/** Entries above which a folder is folded, unless the caller asked for many. */
const OPENED = 30;

/** Writes one header line, then a tree in which the entries of a folder are indented by two spaces. */
export function renderList(result: ListResult, args: ListArgs): string {
  const shown = shownOf(result, args);
  return [header(asAsked(args.path, result.path), notes(result, args.depth, shown)), ...shown.lines].join("\n");
}

/** Tells whether entries are missing that no folded folder counts; only a handle has them. */
export function isTextCut(result: ListResult, args: ListArgs): boolean {
  return missingIn(result, shownOf(result, args)) > 0;
}

function shownOf({ path, entries }: ListResult, { file_glob, max_entries, sizes = false }: ListArgs): ShownTree {
  const wantsMany = max_entries > DEFAULT_ENTRIES || typeof file_glob === "string";
  return layOut(path, entries, {
    budget: budgetFor(max_entries, DEFAULT_ENTRIES),
    opened: wantsMany ? Number.POSITIVE_INFINITY : OPENED,
    sizes,
  });
}

function missingIn({ total_entries }: ListResult, { count, folded }: ShownTree): number {
  return total_entries - count - folded;
}

function notes(result: ListResult, depth: number, shown: ShownTree): string[] {
  const { total_entries: total, hidden, ignored, folders_not_entered: missed, handle } = result;
  const all = `${missed === undefined ? "" : "at least "}${counted(total)}`;
  const facts = [
    `depth ${depth}`,
    ...(hidden === undefined ? [] : [`${grouped(hidden)} hidden`]),
    ...(ignored === undefined ? [] : [`${grouped(ignored)} ignored`]),
  ].join("; ");
  const isCut = missingIn(result, shown) > 0;
  const told = [
    `${shown.count === total ? all : `${grouped(shown.count)} of ${all}`} (${facts})`,
    ...(missed === undefined ? [] : [`Not read: ${grouped(missed)} folders; list them themselves`]),
    ...(shown.folded > 0 ? ['List a folder marked "— N" to see inside'] : []),
    ...(isCut ? ["More: file_glob, max_entries"] : []),
  ];
  const note = told.length === 1 ? told : [`${told.join(". ")}.`];
  return isCut && typeof handle === "string" ? [...note, `all: ${shownHandle(handle)}`] : note;
}
