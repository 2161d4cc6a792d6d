import { blockLength } from "./definition-block.js";
import type { Lines } from "./lines.js";

export interface Definition {
  readonly definition?: string;
  /** Last line of the definition, shown or not. */
  readonly definition_end?: number | undefined;
}

/** Most lines read for a definition, and most that an answer shows. */
export const READ_LINES = 600;
const SHOWN_LINES = 120;

/** Returns the definition that begins in a line, and its last line if that is known. */
export function definitionIn(lines: Lines, line: number): Definition {
  const texts: string[] = [];
  for (let at = line; lines.has(at) && texts.length < READ_LINES; at += 1) texts.push(lines.get(at) ?? "");
  const isWhole = texts.length < READ_LINES;
  const length = blockLength(texts) ?? texts.findLastIndex((text) => text.trim() !== "") + 1;
  if (length <= 1) return {};
  return {
    definition: texts.slice(0, Math.min(length, SHOWN_LINES)).join("\n"),
    definition_end: isWhole || length < texts.length ? line + length - 1 : undefined,
  };
}
