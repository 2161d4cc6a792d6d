import { asIs, made, type Grammar } from "../shape/piece.js";

const BRANCH = /^(?<indent>[│|\s\u00a0]*)(?:[├└`+][─-]+┬?)?\s?(?<name>.*)$/;
/** Characters up to which all levels are told. */
const ROOM = 2500;

/** A drawn tree: indentation in place of lines, and above the room the deep levels counted. */
export const treeGrammar: Grammar = (lines) => {
  const nodes = lines.map((line) => {
    const { indent = "", name = "" } = BRANCH.exec(line)?.groups ?? {};
    const isNode = /[├└`+][─-]/.test(line);
    return {
      line,
      name,
      depth: isNode
        ? Math.round(
            indent.length / (/[─-]{2}/.test(line) && !/[─-]┬|── /.test(line.slice(0, indent.length + 3)) ? 2 : 1),
          )
        : -1,
    };
  });
  const widths = [...new Set(nodes.flatMap(({ depth }) => (depth > 0 ? [depth] : [])))].toSorted((a, b) => a - b);
  if (nodes.filter(({ depth }) => depth >= 0).length < 8) return undefined;
  const level = (depth: number) => (depth <= 0 ? 0 : widths.indexOf(depth) + 1);
  for (let most = widths.length; most >= 0; most -= 1) {
    let hidden = 0;
    const pieces = nodes.flatMap(({ line, name, depth }, at) => {
      if (line.trim() === "") return [];
      if (depth === -1) return [asIs(line)];
      if (level(depth) > most) {
        hidden += 1;
        return [];
      }
      let below = 0;
      for (let next = at + 1; next < nodes.length && level(nodes[next]?.depth ?? -1) > level(depth); next += 1)
        if (level(nodes[next]?.depth ?? 0) > most) below += 1;
      return [made(`${" ".repeat(level(depth) + 1)}${name}${below > 0 ? ` (${below} below)` : ""}`, 1)];
    });
    const size = pieces.reduce((sum, { text }) => sum + text.length, 0);
    if (size <= ROOM || most === 0) return hidden > 0 ? [...pieces, made(`… ${hidden} deeper`)] : pieces;
  }
  return undefined;
};
