import { expect, test } from "vitest";
import { withResults } from "../../src/report/readme.js";

const OPEN = "<!-- results: written by `pnpm bench`, checked by CI -->";
const CLOSE = "<!-- /results -->";

test("what stands between the markers is replaced, and nothing else", () => {
  expect(withResults(`before\n${OPEN}\nold\n${CLOSE}\nafter\n`, "new")).toBe(
    `before\n${OPEN}\n\nnew\n\n${CLOSE}\nafter\n`,
  );
});

test("the same results twice change nothing", () => {
  const once = withResults(`${OPEN}${CLOSE}`, "new $& $1");
  expect(withResults(once, "new $& $1")).toBe(once);
});

test.for([
  ["no markers", "text"],
  ["no end", OPEN],
  ["the end first", `${CLOSE}${OPEN}`],
  ["two tables", `${OPEN}${CLOSE}${OPEN}${CLOSE}`],
  ["two ends", `${OPEN}${CLOSE}${CLOSE}`],
] as const)("a README with %s is refused", ([, readme]) => {
  expect(() => withResults(readme, "new")).toThrow("once each and in this order");
});
