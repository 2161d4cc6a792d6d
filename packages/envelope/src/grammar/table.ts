import { asIs, made, type Grammar, type Piece } from "../shape/piece.js";
import { groupBy } from "../shape/group-by.js";

export interface TableOptions {
  /** Begins a table; by default the first line. */
  readonly header?: RegExp;
  /** The first line is a row. */
  readonly isHeadless?: true;
  /** Matches lines other than rows. */
  readonly aside?: RegExp;
  /** Rows that are counted, never shown. */
  readonly counted?: { readonly row: RegExp; readonly as: string };
  /** Columns are separated by this. */
  readonly gap?: RegExp;
  readonly unit?: string;
}

/** Rows up to which all are told. */
const FEW = 25;
/** Characters up to which all rows are told. */
const SMALL = 2000;
/** Rows from which on they are counted. */
const SOME = 8;
const EXTREMES = 5;
const FEW_VALUES = 6;
const MOST_ODD = 40;

/** Rows and columns: of many rows the first, the last, those with rare values and those with the largest numbers. */
export function tableGrammar(options: TableOptions = {}): Grammar {
  const { header = /^/, aside } = options;
  return (lines) => {
    const filled = lines.filter((line) => line.trim() !== "");
    const starts = filled.flatMap((line, at) => (header.test(line) && aside?.test(line) !== true ? [at] : []));
    const [first] = starts;
    if (first === undefined || filled.length < 4) return undefined;
    const tables = options.header === undefined ? [first] : starts;
    return [
      ...filled.slice(0, first).map(asIs),
      ...tables.flatMap((start, at) => table(filled.slice(start, tables[at + 1] ?? filled.length), options)),
    ];
  };
}

function table(
  lines: readonly string[],
  { aside, counted, gap = /\s{2,}|\t|\s*\|\s*/, unit = "rows", isHeadless }: TableOptions,
): Piece[] {
  const [head = "", ...below] = isHeadless === true ? ["", ...lines] : lines;
  const others = below.filter((line) => aside?.test(line) === true);
  const rows = below.filter((line) => aside?.test(line) !== true && !/^[\s|+=-]+$/.test(line));
  const gone = counted === undefined ? [] : rows.filter((row) => counted.row.test(row));
  const told = rows.filter((row) => !gone.includes(row)).map(narrow);
  const count = `${rows.length} ${unit}${gone.length > 0 ? `, ${gone.length} of them ${counted?.as}` : ""}`;
  const title = head === "" ? [] : [made(narrow(head), 1)];
  const isAll = told.length <= FEW || told.join("\n").length <= SMALL;
  const { shown, values } = told.length < SOME ? { shown: told, values: [] } : chosen(told, head, gap);
  const named = head === "" ? [] : values.filter((each) => !isAll || /\d [A-Za-z]/.test(each));
  return [
    ...title,
    ...(isAll ? told : shown).map((row) => made(row, 1)),
    ...others.map(asIs),
    ...(rows.length < SOME ? [] : [made(isAll ? count : `${count}; shown: first, last, rare values, largest numbers`)]),
    ...named.map((each) => made(each)),
  ];
}

/** Blanks between columns cost tokens. */
function narrow(row: string): string {
  return row.trimEnd().replaceAll(/(?<=\S) {3,}/g, "  ");
}

function chosen(rows: readonly string[], head: string, gap: RegExp): { shown: string[]; values: string[] } {
  const cells = rows.map((row) => row.trim().split(gap));
  const names = head.trim().split(gap);
  const width = Math.min(20, Math.max(...cells.slice(0, 50).map((each) => each.length)));
  const odd = new Set<number>([0, 1, rows.length - 1]);
  const values: string[] = [];
  for (let column = 0; column < width; column += 1) {
    const found = cells.map((each) => each[column] ?? "");
    const groups = [...groupBy(found.keys(), (row) => found[row] ?? "")];
    if (groups.length <= FEW_VALUES) {
      if (groups.length > 1 && groups.length < rows.length)
        values.push(
          `${names[column] ?? ""}: ${groups.map(([value, some]) => `${some.length} ${value || "empty"}`).join(", ")}`,
        );
      for (const [, some] of groups)
        if (some.length <= Math.max(3, rows.length / 40)) for (const row of some) odd.add(row);
      continue;
    }
    const numbers = found.map(numberOf);
    if (numbers.filter((each) => each !== undefined).length < 0.9 * rows.length || isCounter(numbers)) continue;
    const order = [...numbers.keys()].toSorted((one, other) => (numbers[other] ?? 0) - (numbers[one] ?? 0));
    for (const row of order.slice(0, EXTREMES)) odd.add(row);
  }
  const shown = [...odd]
    .slice(0, MOST_ODD)
    .toSorted((one, other) => one - other)
    .map((row) => rows[row] ?? "");
  return { shown, values };
}

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40, "%": 1 };

function numberOf(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+(?:[.,]\d+)*)([KMGT%]?)i?B?$/i.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits.replaceAll(",", "")) * (UNITS[unit.toUpperCase()] ?? 1);
}

/** Row numbers and ids grow by themselves: the largest of them tells nothing. */
function isCounter(numbers: readonly (number | undefined)[]): boolean {
  return numbers.every((each, at) => at === 0 || (each ?? 0) >= (numbers[at - 1] ?? 0));
}

const RULE = /^[\s|+-]*-{3,}[\s|+-]*$/;
const SQL_GAP = /\s*\|\s*|\s{2,}|,/;

/** Results of queries: each table of many rows as a table, all else as it is. */
export const rows: Grammar = (lines) => {
  const sections: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === "") sections.push([]);
    else sections.at(-1)?.push(line);
  }
  return sections.flatMap((section): Piece[] => {
    const rule = section.findIndex((line) => RULE.test(line));
    const isCsv =
      rule === -1 && section.length > FEW && section.every((line) => line.includes(",") || line.includes("|"));
    if (section.length <= FEW || (rule === -1 && !isCsv)) return section.map((line) => made(narrow(line), 1));
    const start = Math.max(0, rule - 1);
    const aside = /^\(\d+ rows?\)$/;
    return [...section.slice(0, start).map(asIs), ...table(section.slice(start), { gap: SQL_GAP, aside })];
  });
};
