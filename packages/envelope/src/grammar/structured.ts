import { made, type Grammar } from "../shape/piece.js";
import { groupBy } from "../shape/group-by.js";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Record_ = Readonly<Record<string, Json>>;

/** Characters of a value that is told whole. */
const SMALL = 1200;
const LONG_TEXT = 120;
const ODD_ITEMS = 12;
/** Different values of a key up to which each is told with its count. */
const FEW_VALUES = 8;

/** A number with more digits than JSON.parse keeps. */
const LONG_NUMBER = /(?<=[:[,\s])-?\d{16,}(?=\s*[,\]}])/g;

/** JSON: small parts whole, of a list its length, the values of its keys, the first, the last and the odd items. */
export const json: Grammar = (lines) => {
  const text = lines.join("\n").trim();
  if (!/^[[{]/.test(text)) return undefined;
  let value: Json;
  try {
    value = JSON.parse(text.replaceAll(LONG_NUMBER, '"$&"')) as Json;
  } catch {
    return undefined;
  }
  texts = new WeakMap();
  return outline(value, "", 0).map((line) => made(line));
};

function outline(value: Json, name: string, depth: number): string[] {
  const pad = " ".repeat(depth);
  const label = name === "" ? "" : `${name}: `;
  if (isList(value)) return list(value, pad, label, depth);
  if (isRecord(value)) {
    const told = Object.entries(value).filter(([, each]) => !isEmpty(each));
    const whole = `${pad}${label}${compact(value)}`;
    if (whole.length <= 160) return [whole];
    const scalars = told.filter(([, each]) => typeof each !== "object" || compact(each).length <= 60);
    const rest = told.filter(([, each]) => typeof each === "object" && compact(each).length > 60);
    const inside = name === "" && depth === 0 ? 0 : depth + 1;
    const head = name === "" && depth === 0 ? [] : [`${pad}${name}:`];
    const line = scalars.map(([key, each]) => `${key}: ${compact(each)}`).join(", ");
    return [
      ...head,
      ...(line === "" ? [] : [`${" ".repeat(inside)}${line}`]),
      ...rest.flatMap(([key, each]) => outline(each, key, inside)),
    ];
  }
  return [`${pad}${label}${compact(value)}`];
}

function list(items: readonly Json[], pad: string, label: string, depth: number): string[] {
  if (compact(items).length <= 160) return [`${pad}${label}${compact(items)}`];
  const records = items.filter(isRecord);
  const head = `${pad}${label}${items.length} items`;
  if (items.length === 1 && records.length === 1)
    return outline(items[0] ?? null, `${label}[0]`.replace(": [", "["), depth);
  if (records.length < items.length) {
    const some = items.length <= 20 ? items : [...items.slice(0, 10), ...items.slice(-2)];
    return [head, ...some.map((each) => `${pad} ${compact(each).slice(0, LONG_TEXT)}`)];
  }
  if (compact(items).length <= SMALL) return [head, ...records.map((each) => `${pad} ${compact(each)}`)];
  const keys = [...new Set(records.flatMap((each) => Object.keys(each)))];
  const odd = oddOf(records, keys);
  const chosen = [...new Set([records[0], ...odd, records.at(-1)])].filter((each) => each !== undefined);
  return [
    head,
    ...keys.map((key) => `${pad} ${key}: ${values(records.map((each) => each[key] ?? null))}`),
    ...chosen.map((each) => `${pad} [${records.indexOf(each)}] ${compact(each)}`),
  ];
}

/** Values of a key: each value with its count, the least and the greatest number, or the number of different values. */
function values(all: readonly Json[]): string {
  const groups = groupBy(all, (each) => compact(each));
  if (groups.size <= FEW_VALUES)
    return [...groups]
      .map(([text, some]) => (groups.size === 1 ? cut(text) : `${cut(text)} ×${some.length}`))
      .join(", ");
  const numbers = all.filter((each) => typeof each === "number");
  if (numbers.length === all.length) return `${Math.min(...numbers)}…${Math.max(...numbers)}`;
  const first = all.find((each) => each !== null) ?? null;
  if (isList(first))
    return `lists of ${new Set(all.map((each) => (isList(each) ? each.length : 0))).size === 1 ? first.length : "items"}`;
  return `${groups.size} different, such as ${cut(compact(first))}`;
}

/** Items with a value that few others have, where a key has few values. */
function oddOf(records: readonly Record_[], keys: readonly string[]): Record_[] {
  const odd = keys.flatMap((key) => {
    const groups = [...groupBy(records, (each) => compact(each[key] ?? null)).values()];
    if (groups.length > FEW_VALUES) return [];
    return groups.filter((group) => group.length <= Math.max(2, records.length / 50)).flat();
  });
  return [...new Set(odd)].slice(0, ODD_ITEMS);
}

function cut(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

/** Texts of values, because the parts of a large document are looked at from each level. */
let texts = new WeakMap<object, string>();

function compact(value: Json): string {
  if (typeof value !== "object" || value === null) return written(value);
  const known = texts.get(value) ?? written(value);
  texts.set(value, known);
  return known;
}

function written(value: Json): string {
  if (isList(value)) return `[${value.map(compact).join(", ")}]`;
  if (isRecord(value))
    return `{${Object.entries(value)
      .filter(([, each]) => !isEmpty(each))
      .map(([key, each]) => `${key}: ${compact(each)}`)
      .join(", ")}}`;
  const text = JSON.stringify(value);
  return text.length <= LONG_TEXT ? text : `${text.slice(0, LONG_TEXT)}…`;
}

function isEmpty(value: Json): boolean {
  return (
    value === null ||
    value === "" ||
    (isList(value) && value.length === 0) ||
    (isRecord(value) && Object.keys(value).length === 0)
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isRecord(value: Json): value is Record_ {
  return typeof value === "object" && value !== null && !isList(value);
}
