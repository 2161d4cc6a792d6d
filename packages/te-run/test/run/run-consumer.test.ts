import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { run } from "../../src/index.js";
import { freshMark, marked } from "../processes.js";

const bounds = { maxBytes: 1024, timeoutMs: 20_000 };

test("a taker gets all of stdout in order, and none of it is kept", async () => {
  const chunks: Buffer[] = [];
  const result = await run(["seq", "200000"], { ...bounds, onStdout: (chunk) => void chunks.push(chunk) });
  const expected = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join("");
  expect(Buffer.concat(chunks).toString() === expected).toBe(true);
  expect({ ...result, durationMs: 0 }).toEqual({
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
    stdoutTotal: expected.length,
    stderrTotal: 0,
    exitCode: 0,
    signal: null,
    ended: "exit",
    durationMs: 0,
  });
});

test("a slow taker slows the program, is never called twice at once, and still gets all after the exit", async () => {
  let inside = 0;
  let most = 0;
  let total = 0;
  const result = await run(["head", "-c", "600000", "/dev/zero"], {
    ...bounds,
    onStdout: async (chunk) => {
      most = Math.max(most, ++inside);
      // Longer in sum than the 300 ms that a drain has for pipes which somebody holds open.
      await sleep(60);
      total += chunk.length;
      inside -= 1;
    },
  });
  expect({ most, total, ended: result.ended }).toEqual({ most: 1, total: 600_000, ended: "exit" });
});

test("while a taker is busy a flood waits in the pipe", async () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const totals: number[] = [];
  const stop = new AbortController();
  const running = run(["yes"], {
    ...bounds,
    signal: stop.signal,
    onStdout: async (chunk) => {
      totals.push(chunk.length);
      await gate;
    },
  });
  await expect.poll(() => totals.length).toBe(1);
  await sleep(200);
  stop.abort();
  const { ended, stdoutTotal } = await running;
  release();
  expect({ ended, stdoutTotal }).toEqual({ ended: "cancelled", stdoutTotal: totals[0] });
});

test('"stop" ends the program, and nothing more is handed out', async () => {
  const mark = freshMark();
  let calls = 0;
  const onStdout = (): "stop" | void => (++calls === 3 ? "stop" : undefined);
  const { ended } = await run(["yes"], { ...bounds, env: mark, onStdout });
  expect({ ended, calls, left: marked(mark) }).toEqual({ ended: "stopped", calls: 3, left: [] });
});

test.each([
  [
    "throws",
    () => {
      throw new Error("taker failed");
    },
  ],
  ["rejects", () => Promise.reject(new Error("taker failed"))],
])("when the taker %s the tree ends and the caller gets that error", async (_, onStdout) => {
  const mark = freshMark();
  await expect(run(["yes"], { ...bounds, env: mark, onStdout })).rejects.toThrow("taker failed");
  expect(marked(mark)).toEqual([]);
});

test("a taker that never comes back does not outlast the time limit", async () => {
  const onStdout = (): Promise<void> => new Promise(() => undefined);
  const { ended, exitCode } = await run(["echo", "x"], { ...bounds, timeoutMs: 500, onStdout });
  expect({ ended, exitCode }).toEqual({ ended: "timeout", exitCode: 0 });
});

const PIECES = 20_000;
const inPieces = ["sh", "-c", `i=0; while [ $i -lt ${PIECES} ]; do echo $i; echo $i >&2; i=$((i+1)); done`] as const;
const allPieces = Array.from({ length: PIECES }, (_, index) => `${index}\n`).join("");

test("small pieces of stdout gather where that is wanted, few times a millisecond at most; those of stderr do not; all come in order", async () => {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const { durationMs, ended } = await run([...inPieces], {
    ...bounds,
    throttlesReads: true,
    onStdout: (chunk) => void out.push(chunk),
    onStderr: (chunk) => void err.push(chunk),
  });
  expect(Buffer.concat(out).toString() === allPieces).toBe(true);
  expect(Buffer.concat(err).toString() === allPieces).toBe(true);
  expect(ended).toBe("exit");
  expect(out.length).toBeLessThan(4 * durationMs + 20);
});

test("a slow taker gets what has gathered, too, and stops it", async () => {
  let total = 0;
  const taking = { ...bounds, throttlesReads: true };
  const all = await run([...inPieces], {
    ...taking,
    onStdout: async (chunk) => {
      await nextTurn();
      total += chunk.length;
    },
  });
  expect({ total, ended: all.ended }).toEqual({ total: allPieces.length, ended: "exit" });
  const seen: string[] = [];
  const stopped = await run(["sh", "-c", "echo first; sleep 0.01; echo second; exec sleep 1000"], {
    ...taking,
    onStdout: (chunk) => (seen.push(chunk.toString()) === 2 ? "stop" : undefined),
  });
  expect({ seen, ended: stopped.ended }).toEqual({ seen: ["first\n", "second\n"], ended: "stopped" });
});
