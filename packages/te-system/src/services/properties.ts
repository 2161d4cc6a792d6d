/** What systemctl show tells of one unit, by name. */
export type Properties = ReadonlyMap<string, string>;

/** A block of key=value lines for each unit, with an empty line between. A value may hold any further "=". */
export function parseProperties(text: string): Properties[] {
  return text
    .split(/\n{2,}/)
    .map((block) => new Map(block.split("\n").flatMap(splitLine)))
    .filter((properties) => properties.size > 0);
}

function splitLine(line: string): [string, string][] {
  const cut = line.indexOf("=");
  return cut <= 0 ? [] : [[line.slice(0, cut), line.slice(cut + 1)]];
}

/** systemd writes "not set" as that, and as the largest number; no limit as "infinity". */
export function amountOf(properties: Properties, key: string): number | null {
  const text = properties.get(key) ?? "";
  return /^\d{1,18}$/.test(text) ? Number(text) : null;
}

export function textOf(properties: Properties, key: string): string | null {
  const text = properties.get(key) ?? "";
  return text === "" || text === "[not set]" || text === "n/a" ? null : text;
}
