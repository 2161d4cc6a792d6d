import { lastUpTo } from "../block/changes.js";
import { unitTextOf, type UnitText } from "../block/unit-text.js";
import type { LineEnd } from "./plan.js";

/** A file cut into lines, without losing a byte of it. */
export interface FileText {
  readonly unit: UnitText;
  /** The byte order mark, which is no part of the first line. */
  readonly mark: string;
  readonly units: string;
  readonly count: number;
  /** Where line `index` begins, from 0; behind the last line, where the text ends. */
  startOf(index: number): number;
  /** Without its end. */
  textOf(index: number): string;
  endOf(index: number): LineEnd;
  /** The line in which a place of the units lies. */
  lineAt(place: number): number;
}

export function fileTextOf(content: Buffer): FileText {
  const unit = unitTextOf(content);
  return cut(unit, unit.units);
}

/** The same file with other content. */
export function withUnits({ unit }: FileText, units: string): FileText {
  return cut(unit, units);
}

function cut(unit: UnitText, whole: string): FileText {
  const sign = unit.encode("\ufeff");
  const mark = whole.startsWith(sign) ? sign : "";
  const units = whole.slice(mark.length);
  const starts = startsOf(units);
  const count = starts.length - 1;
  const startOf = (index: number): number => starts[index] ?? units.length;
  const endOf = (index: number): LineEnd => {
    const next = startOf(index + 1);
    if (units.charCodeAt(next - 1) !== 10) return "";
    return next - 2 >= startOf(index) && units.charCodeAt(next - 2) === 13 ? "\r\n" : "\n";
  };
  const textOf = (index: number): string => units.slice(startOf(index), startOf(index + 1) - endOf(index).length);
  const lineAt = (place: number): number => Math.max(0, Math.min(count - 1, lastUpTo(starts, place)));
  return { unit, mark, units, count, startOf, endOf, textOf, lineAt };
}

/** The start of each line, and the end of the last one. */
function startsOf(units: string): Int32Array {
  let count = units === "" || units.endsWith("\n") ? 0 : 1;
  for (let at = units.indexOf("\n"); at !== -1; at = units.indexOf("\n", at + 1)) count += 1;
  const starts = new Int32Array(count + 1);
  let at = 0;
  for (let index = 1; index < count; index++) {
    at = units.indexOf("\n", at) + 1;
    starts[index] = at;
  }
  starts[count] = units.length;
  return starts;
}
