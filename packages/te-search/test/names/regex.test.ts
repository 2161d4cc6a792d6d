import { expect, test } from "vitest";
import { ask, failure, found, freshDir, LONG_ENOUGH, namesIn, PLAIN, plantNames, WALK } from "./tree.js";

/** Takes longer with each "a" more, twice as long. */
const HOSTILE = "^(a+)+$";
const TRAP = `${"a".repeat(40)}!`;

test("regular expressions are about the name, or about the path where they have a slash", async () => {
  const root = plantNames(freshDir(), ["src/user.ts", "src/user.test.ts", "user/x.js", "User.md"]);
  const names = namesIn(root);
  const regex = (pattern: string): Promise<string[]> => found(root, { pattern, regex: true }, names);
  expect(await regex("^user")).toEqual(["user", "User.md", "src/user.ts", "src/user.test.ts"]);
  expect(await regex("^User")).toEqual(["User.md"]);
  expect(await regex("(?i)^USER$")).toEqual(["user"]);
  expect(await regex("^\\w+\\.ts$")).toEqual(["src/user.ts"]);
  expect(await regex("\\.test\\.ts$|\\.js$")).toEqual(["user/x.js", "src/user.test.ts"]);
  expect(await regex("^src/.*test")).toEqual(["src/user.test.ts"]);
  expect(await regex("user/x")).toEqual(["user/x.js"]);
  expect(await regex("\\p{Lu}")).toEqual(["User.md"]);
  // What older rules allow and newer do not.
  expect(await regex("user\\-?\\.md")).toEqual(["User.md"]);
  expect(await regex("nothing")).toEqual([]);
});

test("more names than go at once are all tried", async () => {
  const all = Array.from({ length: 5000 }, (_, nth) => `${nth % 3}/n${nth}`);
  const root = plantNames(freshDir(), all);
  const answer = await ask(namesIn(root), root, { pattern: "^n\\d+$", regex: true, maxKept: 10_000 });
  expect([answer.total, answer.hits.map(({ way }) => way).toSorted()]).toEqual([5000, all.toSorted()]);
});

test("a regex that takes too long on a name is ended, and others go on", { timeout: 120_000 }, async () => {
  const root = plantNames(freshDir(), ["fine", `deep/${TRAP}`, "other"]);
  const names = namesIn(root, { ...WALK, slowNameMs: 300 });
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const [hostile, fine] = await Promise.all([
    failure(ask(names, root, { pattern: HOSTILE, regex: true })),
    found(root, { pattern: "^fine$", regex: true }, names),
  ]);
  clearInterval(timer);
  expect(hostile).toEqual({
    code: "INVALID_ARGUMENT",
    message: `The regex takes too long on the name "${TRAP}"`,
    advice: "Avoid repeats within repeats, such as (a+)+.",
  });
  expect(fine).toEqual(["fine"]);
  // The event loop had its turns.
  expect(turns).toBeGreaterThan(3);
  expect(await found(root, { pattern: "^o", regex: true }, names)).toEqual(["other"]);
});

test("at the deadline, and when it is cancelled, a regex that hangs is left behind", { timeout: 120_000 }, async () => {
  const root = plantNames(freshDir(), [TRAP]);
  const names = namesIn(root, { ...WALK, slowNameMs: 600_000 });
  const query = { ...PLAIN, root, pattern: HOSTILE, regex: true };
  const late = await names.search(query, { deadlineMs: 200 });
  expect([late.exact, late.endedBy, late.total]).toEqual([false, "deadline", 0]);
  const signal = AbortSignal.timeout(200);
  expect(await failure(names.search(query, { ...LONG_ENOUGH, signal }))).toMatchObject({ code: "CANCELLED" });
});

test(
  "who waits for a thread gets one once another is done, and gives up at its deadline",
  { timeout: 120_000 },
  async () => {
    const root = plantNames(freshDir(), [TRAP, "fine"]);
    const names = namesIn(root, { ...WALK, slowNameMs: 600_000 });
    const query = { ...PLAIN, root, pattern: HOSTILE, regex: true };
    const hanging = [1500, 1500].map((deadlineMs) => names.search(query, { deadlineMs }));
    const early = await names.search({ ...query, pattern: "^fine$" }, { deadlineMs: 1 });
    expect(early.endedBy).toBe("deadline");
    const many = await Promise.all(
      Array.from({ length: 10 }, () => found(root, { pattern: "^fine$", regex: true }, names)),
    );
    expect(many).toEqual(Array.from({ length: 10 }, () => ["fine"]));
    expect((await Promise.all(hanging)).map(({ endedBy }) => endedBy)).toEqual(["deadline", "deadline"]);
  },
);

test.for([
  ["(a", "The regex is not valid: Unterminated group"],
  ["[b-a]", "The regex is not valid: Range out of order in character class"],
  ["\\p{Nothing}", "The regex is not valid: Invalid property name"],
  ["*", "The regex is not valid: Nothing to repeat"],
] as const)("what the engine says of %s is told", async ([pattern, message]) => {
  const root = plantNames(freshDir(), ["aaa"]);
  expect(await failure(ask(namesIn(root, { ...WALK, slowNameMs: 500 }), root, { pattern, regex: true }))).toMatchObject(
    {
      code: "INVALID_ARGUMENT",
      message,
    },
  );
});
