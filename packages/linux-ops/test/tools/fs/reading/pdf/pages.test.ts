import { expect, test } from "vitest";
import { parsePages } from "../../../../../src/tools/fs/reading/pdf/pages.js";

test.for([
  [undefined, 1, undefined],
  ["3", 3, 3],
  ["1-5", 1, 5],
  ["2-", 2, undefined],
  ["7-7", 7, 7],
] as const)("%j is pages %j to %j", ([pages, first, last]) => {
  expect(parsePages(pages)).toEqual({ first, last });
});

test.for(["", "0", "0-3", "5-2", "-3", "1-5,7", "x", " 1", "1\n", "1e3", "9999999", "1--2"])(
  "%j is refused",
  (pages) => {
    expect(() => parsePages(pages)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: `linux.fs_read: pages is ${JSON.stringify(pages)}`,
        hint: 'Pages count from 1: "3", "1-5" or "2-".',
      }),
    );
  },
);
