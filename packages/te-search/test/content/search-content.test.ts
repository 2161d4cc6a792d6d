import { expect, test } from "vitest";
import { makeDesk, QUERY } from "./desk.js";

test("tells each line that matches, with its place", async () => {
  const { root, search } = await makeDesk({ "src/a.ts": "one\nlet süß = two; // two\n", "b.txt": "three\n" });

  const found = await search.content({ ...QUERY, root, pattern: "tw." }, { deadlineMs: 30_000 });

  expect(found).toMatchObject({
    total: 1,
    exact: true,
    endedBy: null,
    kept: 1,
    files: [
      {
        way: "src/a.ts",
        path: `${root}/src/a.ts`,
        count: 1,
        hits: [
          {
            line: 2,
            column: 11,
            offset: 4,
            text: "let süß = two; // two",
            cut: { before: 0, after: 0 },
            spans: [
              [10, 13],
              [18, 21],
            ],
          },
        ],
      },
    ],
  });
});
