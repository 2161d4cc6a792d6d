import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { makePipes, openPipes, run, type Pipes } from "../../src/index.js";
import { endMarked, freshMark } from "../processes.js";

const bounds = { maxBytes: 1024, timeoutMs: 20_000 };
/** Tells on stdout what its stderr is: "fifo:1234", "socket:1234". */
const TELLS = ["stat", "-L", "-c", "%F:%i", "/proc/self/fd/2"] as const;
const COUNT = 4;

let pipes: Pipes;

beforeEach(async () => {
  pipes = openPipes();
  // They are made beside the first program that asks for one.
  await expect.poll(stderrOf).toMatch(/^fifo:/);
});
afterEach(() => pipes.close());

async function stderrOf(): Promise<string> {
  const { stdout } = await run([...TELLS], { ...bounds, pipes });
  return stdout.toString().trim();
}

const PIECES = 20_000;
const IN_PIECES = ["sh", "-c", `i=0; while [ $i -lt ${PIECES} ]; do echo $i >&2; i=$((i+1)); done; exit 3`] as const;

test("stderr comes through a pipe in order and to its end, and what gathers in it comes in few chunks", async () => {
  const chunks: Buffer[] = [];
  const result = await run([...IN_PIECES], {
    ...bounds,
    pipes,
    throttlesReads: true,
    onStderr: (chunk) => void chunks.push(chunk),
  });
  const expected = Array.from({ length: PIECES }, (_, index) => `${index}\n`).join("");
  expect(Buffer.concat(chunks).toString() === expected).toBe(true);
  expect({ ...result, durationMs: 0 }).toMatchObject({ stderrTotal: expected.length, exitCode: 3, ended: "exit" });
  expect(chunks.length).toBeLessThan(4 * result.durationMs + 20);
});

test("a slow taker of what comes through a pipe gets all of it", async () => {
  let total = 0;
  const { ended } = await run(["sh", "-c", "head -c 600000 /dev/zero >&2"], {
    ...bounds,
    pipes,
    throttlesReads: true,
    onStderr: async (chunk) => {
      await new Promise(setImmediate);
      total += chunk.length;
    },
  });
  expect({ total, ended }).toEqual({ total: 600_000, ended: "exit" });
});

test("many at once get each its own, those for whom there is none through a socket", async () => {
  const all = Array.from({ length: 3 * COUNT }, (_, nth) => String(nth));
  const kinds: string[] = [];
  let allTold: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (allTold = resolve));
  async function* whenAllHaveTold(): AsyncGenerator<Uint8Array> {
    await gate;
    yield Buffer.from("go\n");
  }
  const said = await Promise.all(
    all.map(async (nth) => {
      const { stderr } = await run(["sh", "-c", `${TELLS.join(" ")}; read go; echo ${nth} >&2`], {
        ...bounds,
        pipes,
        stdin: whenAllHaveTold(),
        onStdout: (chunk) => {
          if (kinds.push(chunk.toString().split(":")[0] ?? "") === all.length) allTold();
        },
      });
      return stderr.toString().trim();
    }),
  );
  expect(said).toEqual(all);
  expect(kinds.filter((kind) => kind === "fifo")).toHaveLength(COUNT);
  expect(kinds.filter((kind) => kind === "socket")).toHaveLength(2 * COUNT);
});

test("a pipe that somebody still holds is not given to another", async () => {
  const mark = freshMark();
  try {
    const leaver = ["sh", "-c", `${TELLS.join(" ")}; sleep 1000 >/dev/null &`] as const;
    const left = await run(leaver, { ...bounds, pipes, env: mark });
    const holder = left.stdout.toString().trim();
    expect({ holder, ended: left.ended }).toEqual({ holder: expect.stringMatching(/^fifo:/), ended: "exit" });
    for (let nth = 0; nth < 2 * COUNT; nth += 1) {
      const { stdout, stderrTotal } = await run([...TELLS], { ...bounds, pipes });
      expect({ other: stdout.toString().trim() !== holder, stderrTotal }).toEqual({ other: true, stderrTotal: 0 });
    }
    endMarked(mark);
    // By and by it serves again.
    const seen = new Set<string>();
    await expect
      .poll(async () => {
        const few = await Promise.all(Array.from({ length: COUNT }, stderrOf));
        for (const one of few) seen.add(one);
        return seen.has(holder);
      })
      .toBe(true);
  } finally {
    endMarked(mark);
  }
});

test("a program that cannot be started costs no pipe, and closed ones are given to nobody", async () => {
  const before = openNow();
  for (let nth = 0; nth < 2 * COUNT; nth += 1)
    await expect(run(["stat"], { ...bounds, pipes, cwd: "/nowhere" })).rejects.toMatchObject({
      code: expect.anything(),
    });
  await expect.poll(stderrOf).toMatch(/^fifo:/);
  await expect.poll(openNow).toBeLessThanOrEqual(before);
  pipes.close();
  expect(await stderrOf()).toMatch(/^socket:/);
  await expect.poll(openNow).toBe(before - COUNT);
});

function openNow(): number {
  return readdirSync("/proc/self/fd").length;
}

test("modules behind a link are still found by their own path after pipes were made", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pipes-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "own"));
  symlinkSync("own", join(folder, "link"));
  for (const name of ["a.cjs", "b.cjs"]) writeFileSync(join(folder, "own", name), "module.exports = __filename;");
  const load = createRequire(join(folder, "main.js"));
  expect(load("./link/a.cjs")).toBe(join(folder, "own", "a.cjs"));
  for (const pipe of await makePipes(2)) pipe.given().destroy();
  expect(load("./link/b.cjs")).toBe(join(folder, "own", "b.cjs"));
});
