export type Labels = Readonly<Record<string, string>>;

export interface Series<Value> {
  readonly labels: Labels;
  value: Value;
}

export type Family<Value> = Map<string, Series<Value>>;

// Labels may hold what a caller wrote: beyond so many series of a name the rest is one.
const SERIES = 500;
export const OTHER = "other";

export function seriesOf<Value>(
  families: Map<string, Family<Value>>,
  name: string,
  labels: Labels,
  first: () => Value,
): Series<Value> {
  let family = families.get(name);
  if (family === undefined) families.set(name, (family = new Map()));
  const key = keyOf(labels);
  const known = family.get(key);
  if (known !== undefined) return known;
  if (family.size >= SERIES) return folded(family, labels, first);
  return added(family, key, labels, first);
}

function folded<Value>(family: Family<Value>, labels: Labels, first: () => Value): Series<Value> {
  const others = Object.fromEntries(Object.keys(labels).map((label) => [label, OTHER]));
  const key = keyOf(others);
  return family.get(key) ?? added(family, key, others, first);
}

function added<Value>(family: Family<Value>, key: string, labels: Labels, first: () => Value): Series<Value> {
  const series = { labels: { ...labels }, value: first() };
  family.set(key, series);
  return series;
}

function keyOf(labels: Labels): string {
  let key = "";
  for (const label in labels) key += `${label}\u0000${labels[label]}\u0000`;
  return key;
}
