/** Converts an indentation of the block to the file's form; undefined if the rule does not cover it. */
export type Shift = (indent: string) => string | undefined;

type Pair = readonly [own: string, there: string];

/**
 * Returns the one difference between all pairs: a longer prefix, a shorter prefix, or tabs for spaces; else undefined.
 */
export function shiftOf(pairs: readonly Pair[]): Shift | undefined {
  return prefixMore(pairs) ?? prefixLess(pairs) ?? tabsForSpaces(pairs);
}

function prefixMore(pairs: readonly Pair[]): Shift | undefined {
  const [[own, there] = ["", ""]] = pairs;
  const prefix = there.slice(0, Math.max(0, there.length - own.length));
  if (pairs.some((pair) => pair[1] !== prefix + pair[0])) return undefined;
  return (indent) => prefix + indent;
}

function prefixLess(pairs: readonly Pair[]): Shift | undefined {
  const [[own, there] = ["", ""]] = pairs;
  const prefix = own.slice(0, Math.max(0, own.length - there.length));
  if (pairs.some((pair) => pair[0] !== prefix + pair[1])) return undefined;
  return (indent) => (indent.startsWith(prefix) ? indent.slice(prefix.length) : undefined);
}

interface Depth {
  readonly spaces: number;
  readonly tabs: number;
}

function tabsForSpaces(pairs: readonly Pair[]): Shift | undefined {
  const toTabs = pairs.every(([own, there]) => isAll(own, " ") && isAll(there, "\t"));
  const toSpaces = pairs.every(([own, there]) => isAll(own, "\t") && isAll(there, " "));
  if (!toTabs && !toSpaces) return undefined;
  const depths = pairs.map(([{ length: own }, { length: there }]) =>
    toTabs ? { spaces: own, tabs: there } : { spaces: there, tabs: own },
  );
  const width = widthOf(depths);
  const [first] = depths;
  if (width === undefined || first === undefined) return undefined;
  const more = first.tabs - first.spaces / width;
  if (depths.some(({ spaces, tabs }) => tabs - spaces / width !== more)) return undefined;
  return toTabs
    ? (indent) => (isAll(indent, " ") ? repeated("\t", indent.length / width + more) : undefined)
    : (indent) => (isAll(indent, "\t") ? repeated(" ", (indent.length - more) * width) : undefined);
}

const WIDEST_TAB = 16;

/** Returns the spaces that one tab stands for, computed from two depths, or from a single one. */
function widthOf(depths: readonly Depth[]): number | undefined {
  const [first] = depths;
  if (first === undefined) return undefined;
  const other = depths.find(({ tabs }) => tabs !== first.tabs) ?? { spaces: 0, tabs: 0 };
  const width = (first.spaces - other.spaces) / (first.tabs - other.tabs);
  return Number.isInteger(width) && width > 0 && width <= WIDEST_TAB ? width : undefined;
}

function repeated(blank: string, count: number): string | undefined {
  return Number.isInteger(count) && count >= 0 ? blank.repeat(count) : undefined;
}

function isAll(blanks: string, blank: string): boolean {
  return blanks === blank.repeat(blanks.length);
}
