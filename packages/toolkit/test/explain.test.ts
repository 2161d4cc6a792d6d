import { expect, test } from "vitest";
import { echo, from, pipeline } from "./fixture.js";

test.for([
  [{ count: 9 }, "linux.echo: count is 9; it must be at most 5"],
  [{ count: -1 }, "linux.echo: count is -1; it must be at least 0"],
  [{ count: "3" }, 'linux.echo: count is "3"; it must be a number'],
  [{ count: 1.5 }, "linux.echo: count is 1.5; it must be an integer"],
  [{ text: "x".repeat(11) }, "linux.echo: text is 11 characters; it must be at most 10 characters"],
  [{ text: null }, "linux.echo: text is null; it must be a string"],
  ["text", 'linux.echo: the arguments is "text"; it must be an object'],
  [{ limit: 3 }, 'linux.echo: unknown argument "limit"'],
] as const)("%j is refused with a sentence that names field, value and what is allowed", async ([args, message]) => {
  await expect(pipeline([echo]).dispatcher.call("linux.echo", args, from())).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message,
  });
});

test("a value nested too deep to be written is still an answer about its field", async () => {
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  await expect(pipeline([echo]).dispatcher.call("linux.echo", { text: deep }, from())).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: "linux.echo: text is a value that nests too deep; it must be a string",
  });
});

test("an unknown argument is answered with the nearest and with all that exist", async () => {
  await expect(pipeline([echo]).dispatcher.call("linux.echo", { cuont: 3 }, from())).rejects.toMatchObject({
    hint: "Did you mean count? Arguments: text, count.",
  });
});
