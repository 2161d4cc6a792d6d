const WORDS = "request answered cache missed disk slow queue worker retry token session closed opened waiting".split(
  " ",
);

/**
 * Makes lines, each call the next ones: numbered, so that whoever answers with other lines is found out, and of uneven
 * length, as lines are.
 */
export function lineMaker(words: number): (count: number) => string[] {
  const random = fixedRandom();
  let made = 0;
  return (count) =>
    Array.from({ length: count }, () => {
      const length = Math.round(words * (0.5 + random()));
      const text = Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)]);
      return `${String(++made).padStart(8, "0")} ${text.join(" ")}`;
    });
}

/** The same lines in every run. */
function fixedRandom(): () => number {
  let state = 1;
  return () => (state = (state * 48_271) % 0x7fff_ffff) / 0x7fff_ffff;
}

/** The number of the first numbered line in an answer. */
export function firstLineOf(text: string): number {
  return Number(/^\s*(?:\d+[:\t|] *)?(\d{8}) /m.exec(text)?.[1] ?? Number.NaN);
}
