const OPEN = "<!-- results: written by `pnpm bench`, checked by CI -->";
const CLOSE = "<!-- /results -->";

/** The text with what stands between the markers replaced. */
export function withResults(readme: string, results: string): string {
  const [before, rest, ...more] = readme.split(OPEN);
  const [, after, ...others] = rest?.split(CLOSE) ?? [];
  if (before === undefined || after === undefined || more.length + others.length > 0) {
    throw new Error(`the README needs ${OPEN} and ${CLOSE}, once each and in this order`);
  }
  return `${before}${OPEN}\n\n${results}\n\n${CLOSE}${after}`;
}
