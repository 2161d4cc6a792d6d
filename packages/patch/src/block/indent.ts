/** Gives an indentation as the block has it the form that the file has there. */
export type Reindent = (indent: string) => string;

const MOST_KNOWN = 32;
// What is wider is no step of anybody's indentation, and could be multiplied to gigabytes.
const WIDEST_STEP = 32;

/** `pairs`: how lines are indented in the block, and how in the file. The first pair for an indentation counts. */
export function reindentBy(pairs: readonly (readonly [own: string, there: string])[]): Reindent {
  const known = new Map<string, string>();
  for (const [own, there] of pairs) if (!known.has(own) && known.size < MOST_KNOWN) known.set(own, there);
  if (known.size === 0) return (indent) => indent;
  const step = stepOf([...known]);
  return (indent) => known.get(indent) ?? deeper(indent, known, step) ?? shallower(indent, known, step) ?? indent;
}

/** Blanks of the block that stand for blanks of the file. */
interface Step {
  readonly own: string;
  readonly there: string;
}

function deeper(indent: string, known: ReadonlyMap<string, string>, step: Step | undefined): string | undefined {
  const base = longest([...known.keys()].filter((own) => indent.startsWith(own)));
  if (base === undefined) return undefined;
  return `${known.get(base)}${converted(indent.slice(base.length), step)}`;
}

function shallower(indent: string, known: ReadonlyMap<string, string>, step: Step | undefined): string | undefined {
  const above = shortest([...known.keys()].filter((own) => own.startsWith(indent)));
  if (above === undefined) return undefined;
  const there = known.get(above) ?? "";
  const less = converted(above.slice(indent.length), step);
  return there.endsWith(less) ? there.slice(0, there.length - less.length) : there.slice(0, -less.length);
}

function converted(blanks: string, step: Step | undefined): string {
  if (step === undefined || blanks.length % step.own.length !== 0 || !consistsOf(blanks, step.own)) return blanks;
  return step.there.repeat(blanks.length / step.own.length);
}

/** A difference between two known indentations, and what it is in the file. */
function stepOf(known: readonly (readonly [string, string])[]): Step | undefined {
  const nested = known.flatMap(([own, there]) =>
    known
      .filter(([outer, outerThere]) => outer !== own && own.startsWith(outer) && there.startsWith(outerThere))
      .map(([outer, outerThere]) => ({ own: own.slice(outer.length), there: there.slice(outerThere.length) })),
  );
  // With one indentation known, tabs against spaces still tell how many stand for one.
  const alone = known.filter(([own, there]) => isUniform(own) && isUniform(there) && own[0] !== there[0]);
  const work = [...nested, ...alone.map(([own, there]) => ({ own, there }))].filter(
    ({ own, there }) => isUniform(own) && isUniform(there),
  );
  return work.map(reduced).find(({ there }) => there.length <= WIDEST_STEP);
}

function reduced({ own, there }: Step): Step {
  const parts = greatestDivisor(own.length, there.length);
  return { own: own.slice(0, own.length / parts), there: there.slice(0, there.length / parts) };
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}

function isUniform(blanks: string): boolean {
  return blanks !== "" && consistsOf(blanks, blanks.slice(0, 1));
}

function consistsOf(blanks: string, piece: string): boolean {
  return blanks === piece.repeat(blanks.length / piece.length);
}

function longest(texts: readonly string[]): string | undefined {
  return texts.toSorted((one, other) => other.length - one.length)[0];
}

function shortest(texts: readonly string[]): string | undefined {
  return texts.toSorted((one, other) => one.length - other.length)[0];
}
