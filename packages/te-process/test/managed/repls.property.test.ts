import { existsSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ManagedProcess } from "../../src/index.js";
import { startPostgres, type Postgres } from "./postgres.js";
import { psql, REPLS, type Repl, type Statement } from "./repls.js";
import { heard, LONG_MS, stage } from "./stage.js";

const IS_LONG = process.env["LLMC_LONG"] === "1";
/** Sessions of a REPL on one kind of stream, and turns of each session. */
const SESSIONS = IS_LONG ? 5 : 1;
const TURNS = IS_LONG ? 10 : 5;

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(async () => await postgres?.[Symbol.asyncDispose]());

const has = ({ program }: Repl): boolean =>
  ["/usr/bin", "/usr/local/bin", "/bin"].some((folder) => existsSync(`${folder}/${program}`));
for (const repl of REPLS) if (!has(repl)) console.warn(`skipped: ${repl.program} is not installed`);

const WAYS = ["pipes", "a terminal"].flatMap((way) => [true, false].map((isTold) => [way, isTold] as const));
const CELLS = REPLS.filter(has).flatMap((repl) =>
  // Without the kernel, the REPL needs a prompt and a known program name.
  WAYS.filter(([, isTold]) => isTold || repl.hasPipePrompt).map((way) => [repl.program, ...way] as const),
);

test.for(CELLS)(
  "%s on %s, the kernel tells: %s: each answer is the whole answer, however slow its lines are",
  { timeout: SESSIONS * TURNS * 10_000 + LONG_MS },
  async ([program, way, isTold]) => {
    await talk(REPLS.find((each) => each.program === program) as Repl, way === "a terminal", isTold);
  },
);

test.for(["pipes", "a terminal"])(
  "psql on %s: each answer is the whole answer, however slow its lines are",
  { timeout: SESSIONS * TURNS * 10_000 + LONG_MS },
  async (way, { skip }) => {
    if (postgres === null) return skip("PostgreSQL is not installed");
    await talk(psql(postgres.folder), way === "a terminal", true);
  },
);

async function talk(repl: Repl, pty: boolean, isTold: boolean): Promise<void> {
  const joined = { ...repl.statements, ...(isTold ? repl.tricky : {}) };
  const kinds = { ...joined, ...repl.alone };
  const turn = fc.oneof(
    fc.array(fc.constantFrom(...Object.keys(joined)), { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...Object.keys(kinds)).map((kind) => [kind]),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: TURNS, maxLength: TURNS }), async (turns) => {
      const { start, managed } = await stage("off", { isTold });
      const process = await start(isTold ? ["sh", "-c", `exec ${repl.command}`] : repl.command, { pty });
      await opened(process, repl, pty);
      let count = 0;
      for (const turn of turns) {
        const statements = turn.map((kind) => (kinds[kind] as (mark: string) => Statement)(`m${(count += 1)}x`));
        expect(process.unread).toBe(0);
        const { at } = process.send(
          statements.flatMap(({ lines }) => lines.map((line) => `${line}${pty ? "\r" : "\n"}`)).join(""),
        );
        const { text, why } = await heard(process, { from: at });
        const said = statements.flatMap((each) => each.said);
        const wanted = repl.isUnordered === true ? said.toSorted() : said;
        expect({ turn, text, said: marksIn(text, repl), why }).toMatchObject({
          said: wanted,
          why: expect.stringMatching(/^(prompt|input)$/),
        });
      }
      await managed.close();
    }),
    { numRuns: SESSIONS, endOnFailure: true },
  );
}

async function opened(process: ManagedProcess, { hasPipePrompt }: Repl, pty: boolean): Promise<void> {
  const { why } = await heard(process);
  expect(why).toBe(pty || hasPipePrompt ? "prompt" : "input");
}

function marksIn(text: string, { isUnordered }: Repl): string[] {
  const marks = text.match(/m\d+x\d*/g) ?? [];
  return isUnordered === true ? marks.toSorted() : marks;
}
