import fc from "fast-check";
import { expect, test } from "vitest";
import { commandText, nameText } from "../src/index.js";

test.each([
  [["ls", "-la"], "ls -la"],
  [["sh", "-c", "echo 'a b'"], `sh -c "echo 'a b'"`],
  [["x", ""], 'x ""'],
  [["x", "a\nroot 1 0.0 init"], 'x "a\\nroot 1 0.0 init"'].map((each) => each),
  [["mysql", "--password=hunter2", "-u", "a"], "mysql --password=*** -u a"],
  [["x", "--api-key", "abc", "--token", "def", "y"], "x --api-key *** --token *** y"],
  [["env", "DB_PASSWORD=x", "PATH=/bin"], "env DB_PASSWORD=*** PATH=/bin"],
  [["psql", "postgres://me:secret@db/x"], "psql postgres://me:***@db/x"],
  [["curl", "-H", "Authorization: Bearer abcdefgh123"], 'curl -H "Authorization: Bearer ***"'],
  [["x", "\u202etxt.exe", "\u001b[31m"], "x \\u202etxt.exe \\u001b[31m"],
])("%j is %j", (argv, text) => {
  expect(commandText(argv as string[])).toBe(text);
});

test("no argument makes a second line, or a character that turns text round", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (argv) => {
      expect(commandText(argv)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      expect(nameText(argv.join(""))).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    }),
  );
});

test("a command line of megabytes is cut", () => {
  expect(commandText(Array.from({ length: 100_000 }, () => "argument")).length).toBeLessThan(5000);
});
