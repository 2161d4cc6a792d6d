import { notUnderstood } from "../ask/program.js";

/** A row of systemctl list-units. */
export interface Unit {
  readonly name: string;
  readonly load: string;
  readonly active: string;
  readonly sub: string;
  readonly description: string;
}

/** As JSON, or as the columns that versions before 246 print whatever is asked for. */
export function parseUnits(text: string): Unit[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  return trimmed.startsWith("[") || trimmed.startsWith("{") ? fromJson(trimmed) : fromColumns(trimmed);
}

function fromJson(text: string): Unit[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    throw notUnderstood("systemctl", "its list of units ends in the middle");
  }
  if (!Array.isArray(rows)) throw notUnderstood("systemctl", "its list of units is none");
  return rows.map((row: Record<string, unknown>) => {
    const field = (key: string): string => (typeof row[key] === "string" ? row[key] : "");
    return {
      name: field("unit"),
      load: field("load"),
      active: field("active"),
      sub: field("sub"),
      description: field("description"),
    };
  });
}

const COLUMNS = /^\s*(?:[●○×*↻] +)?(\S+) +(\S+) +(\S+) +(\S+) *(.*)$/;
const TYPE = /\.(service|socket|timer|target|mount|automount|path|slice|scope|swap|device)$/;

/** What is no row of a unit is a heading, or a legend below the list. */
function fromColumns(text: string): Unit[] {
  return text.split("\n").flatMap((line) => {
    const [, name = "", load = "", active = "", sub = "", description = ""] = COLUMNS.exec(line) ?? [];
    return TYPE.test(name) ? [{ name, load, active, sub, description: description.trim() }] : [];
  });
}
