import { expect, test } from "vitest";
import { askRepl, followBuild, isRight, OUR_HAND, question } from "../../src/measure/everyday/waiting.js";
import type { McpServer } from "../../src/measure/mcp-server.js";

const BUILD = { folder: "/shop", seconds: 80 };

function serverOf(answer: (name: string, args: object) => string): McpServer {
  return { call: (name: string, args: object) => Promise.resolve(answer(name, args)) } as unknown as McpServer;
}

test("the calls are counted until the build's last line is read", async () => {
  const answers = ["[p_ab12cd · running]", "step 3", "build finished"];
  const asked: object[] = [];
  const server = serverOf((_name, args) => {
    asked.push(args);
    return answers[asked.length - 1] ?? "";
  });
  expect((await followBuild(server, OUR_HAND, BUILD, 45_000)).calls).toBe(3);
  expect(asked).toEqual([
    { command: "node scripts/slow-build.js 80" },
    { proc_id: "p_ab12cd", timeout_ms: 45_000 },
    { proc_id: "p_ab12cd", timeout_ms: 45_000 },
  ]);
});

test("nobody follows a build for ever", async () => {
  await expect(
    followBuild(
      serverOf(() => "step 1"),
      OUR_HAND,
      BUILD,
      1,
    ),
  ).rejects.toThrow("not at its end");
});

test.for([0, 1, 2, 3, 4])("question %i: all of its answer is right, and nothing else", (nth) => {
  const asked = question(nth);
  const all = asked.answer.join("\n>>> ");
  expect(isRight(asked, nth, `>>> ${all}\n>>> `)).toBe(true);
  expect(isRight(asked, nth, all.slice(0, -1))).toBe(false);
  expect(isRight(asked, nth, `${all}\n${question(nth + 5).answer[0]}`)).toBe(false);
  expect(isRight(asked, nth + 5, all)).toBe(false);
});

test("a REPL that is one answer behind is right in none", async () => {
  const answerTo = (args: object): string => {
    const input = (args as { input?: string }).input ?? "";
    const nth = Number(/r(\d+)_/.exec(input)?.[1] ?? Number.NaN);
    return Number.isNaN(nth) ? "p_ab12cd" : question(nth).answer.join("\n");
  };
  let last = "";
  const behind = serverOf((_name, args) => [last, (last = answerTo(args))][0] ?? "");
  const right = serverOf((_name, args) => answerTo(args));
  expect(await askRepl(right, OUR_HAND, [0, 1, 2], Infinity)).toBe(3);
  expect(await askRepl(behind, OUR_HAND, [0, 1, 2], Infinity)).toBe(0);
  expect(await askRepl(right, OUR_HAND, [0, 1, 2], 0)).toBe(0);
});
