/** A value in a JSON text, with its place. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** Members of an object or elements of an array; undefined for any other value. */
  readonly children?: readonly JsonChild[];
  readonly isArray: boolean;
}

export interface JsonChild {
  /** Name of a member. */
  readonly key?: string;
  /** Offset of the member's name, or of the value of an element. */
  readonly start: number;
  readonly value: JsonNode;
}

const BLANKS = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;

/** Finds the places of all values in a text that JSON.parse accepts. */
export function parseJson(text: string): JsonNode {
  return nodeAt(text, after(text, BLANKS, 0));
}

function nodeAt(text: string, start: number): JsonNode {
  const char = text[start];
  if (char === '"') return { start, end: after(text, STRING, start), isArray: false };
  if (char !== "{" && char !== "[") return { start, end: after(text, SCALAR, start), isArray: false };
  const isArray = char === "[";
  const children: JsonChild[] = [];
  let at = after(text, BLANKS, start + 1);
  while (text[at] !== (isArray ? "]" : "}")) {
    const child = isArray ? { start: at, value: nodeAt(text, at) } : memberAt(text, at);
    children.push(child);
    at = after(text, BLANKS, child.value.end);
    if (text[at] === ",") at = after(text, BLANKS, at + 1);
  }
  return { start, end: at + 1, children, isArray };
}

function memberAt(text: string, start: number): JsonChild {
  const keyEnd = after(text, STRING, start);
  const colon = after(text, BLANKS, keyEnd);
  const value = nodeAt(text, after(text, BLANKS, colon + 1));
  return { key: JSON.parse(text.slice(start, keyEnd)) as string, start, value };
}

function after(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}

export interface Addition {
  /** Name of a member; undefined for an element. */
  readonly key: string | undefined;
  readonly value: unknown;
  /** Containers around the place. */
  readonly depth: number;
}

/** Adds a last child to an object or array, and leaves every other byte as it is. */
export function addedTo(text: string, container: JsonNode, { key, value, depth }: Addition): string {
  const style = styleOf(text);
  const name = key === undefined ? "" : `${JSON.stringify(key)}:${style.isCompact ? "" : " "}`;
  const json = style.isCompact ? JSON.stringify(value) : JSON.stringify(value, null, style.indent);
  const line = (level: number): string => (style.isCompact ? "" : style.lineEnd + style.indent.repeat(level));
  const added = `${line(depth)}${name}${json.replaceAll("\n", line(depth))}`;
  const last = container.children?.at(-1);
  if (last !== undefined) return `${text.slice(0, last.value.end)},${added}${text.slice(last.value.end)}`;
  return `${text.slice(0, container.start + 1)}${added}${line(depth - 1)}${text.slice(container.end - 1)}`;
}

/** Removes a child with the comma that it had, and leaves every other byte as it is. */
export function removedFrom(text: string, { start, end, children = [] }: JsonNode, index: number): string {
  const [before, child, next] = [children[index - 1], children[index], children[index + 1]];
  if (child === undefined) return text;
  if (before !== undefined) return text.slice(0, before.value.end) + text.slice(child.value.end);
  if (next !== undefined) return text.slice(0, child.start) + text.slice(next.start);
  return text.slice(0, start + 1) + text.slice(end - 1);
}

interface Style {
  readonly isCompact: boolean;
  readonly indent: string;
  readonly lineEnd: string;
}

function styleOf(text: string): Style {
  const { start, children = [] } = parseJson(text);
  const [first] = children;
  const lead = first === undefined ? "\n  " : text.slice(start + 1, first.start);
  const indent = lead.slice(lead.lastIndexOf("\n") + 1);
  return {
    isCompact: !lead.includes("\n"),
    indent: indent === "" ? "  " : indent,
    lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
