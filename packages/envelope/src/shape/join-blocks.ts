import { templateOf } from "@llmc/te-system";
import { groupBy } from "./group-by.js";
import { asIs, made, type Piece } from "./piece.js";

/** Name of a failing test, and the lines about the test. */
export interface Block {
  readonly head: readonly Piece[];
  readonly body: readonly string[];
}

/** Characters above which later failures are told by their names. */
const ROOM = 10_000;
/** Names that are told for a failure that many tests share. */
const MOST_NAMES = 100;
const FIRST_NAMES = 20;

/** Joins blocks whose bodies differ in numbers only: all names, with their own lines, then the common lines once. */
export function joinBlocks(blocks: readonly Block[], lesser: readonly RegExp[] = [], room = ROOM): Piece[] {
  let told = blocks;
  let pieces = joined(told);
  for (const lines of lesser) {
    if (sizeOf(pieces) <= room) return pieces;
    told = told.map(({ head, body }) => ({ head, body: body.filter((line) => !lines.test(line)) }));
    pieces = joined(told);
  }
  return sizeOf(pieces) <= room ? pieces : joined(withFirst(told, room));
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/** Keeps the lines of the first failure at each place, and of others as far as there is room. */
function withFirst(blocks: readonly Block[], room: number): Block[] {
  const places = blocks.map(({ body }) => PLACE.exec(body.join("\n"))?.[0] ?? "");
  const isFirst = places.map((place, at) => places.indexOf(place) === at);
  const kinds = blocks.map(({ body }) => body.map(templateOf).join("\n"));
  // Lines that an earlier failure has are told once for both.
  const sizes = blocks.map(({ body }, at) => (kinds.indexOf(kinds[at] ?? "") < at ? 0 : body.join("\n").length));
  const heads = blocks.reduce((sum, { head }) => sum + sizeOf(head), 0);
  let left = room - heads - sizes.filter((_, at) => isFirst[at]).reduce((sum, size) => sum + size, 0);
  return blocks.map(({ head, body }, at) => {
    const size = sizes[at] ?? 0;
    if (isFirst[at] === true) return { head, body };
    left -= size;
    return left > 0 ? { head, body } : { head, body: places[at] === "" ? [] : [`  … at ${places[at]}`] };
  });
}

/** The place of a failure, such as `a_test.go:12`. */
const PLACE = /[\w./@-]+\.\w+:\d+/;

function joined(blocks: readonly Block[]): Piece[] {
  const kinds = groupBy(blocks, (block) => (block.body.length === 0 ? block : block.body.map(templateOf).join("\n")));
  return [...kinds.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    if (group.length === 1) return [...first.head, ...first.body.map(asIs)];
    const common = first.body.filter((_, at) => group.every(({ body }) => body[at] === first.body[at]));
    const shared = new Set(common);
    const named = group.length > MOST_NAMES ? group.slice(0, FIRST_NAMES) : group;
    const alike = groupBy(named, ({ body }) => body.filter((line) => !shared.has(line)).join("\n"));
    const own = [...alike].flatMap(([text, blocks]) => [
      ...blocks.flatMap(({ head }) => head),
      ...(text === "" ? [] : text.split("\n").map((line) => ({ text: line, tells: blocks.length }))),
    ]);
    const rest = group.length - named.length;
    return [
      ...own,
      ...(rest > 0 ? [made(`… ${rest} more with the same error`)] : []),
      ...common.map((line) => ({ text: line, tells: named.length })),
    ];
  });
}

/** A count of passes, where the runner printed none. */
export function passedLine(count: number): Piece[] {
  return count === 0 ? [] : [made(`${count} passed`, count)];
}
