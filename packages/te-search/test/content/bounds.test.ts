import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { findProgram } from "@llmc/te-run";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContentFound } from "../../src/index.js";
import { enginesAlive, GONE_WITHIN_MS, msUntilGone, programsAlive } from "../alive.js";
import { churn } from "../churn.js";
import { fill, freshFolder, makeDesk, openDesk, PACKAGED_RG, QUERY } from "./desk.js";
import { ENGINES, folderOf } from "./engines.js";

const LONG_ENOUGH = { deadlineMs: 120_000 };
const LONG = process.env["LLMC_LONG"] === "1";
const MiB = 1024 * 1024;

describe.for(ENGINES)("$name", ({ name, setup }) => {
  test("a search that is cancelled ends with all that it started, within 100 ms", async () => {
    const line = "needle in a haystack of hay\n";
    const { root, search } = await makeDesk({ a: line.repeat(150_000), b: line.repeat(150_000) }, setup());
    const query = { ...QUERY, root, pattern: "needle", maxScanHits: 10_000_000 };

    const took = await msUntilGone(async ({ signal, now }) => {
      const searching = search.content(query, { ...LONG_ENOUGH, signal, onHit: now });
      await expect(searching).rejects.toMatchObject({ code: "CANCELLED" });
    });

    expect(took).toBeLessThan(GONE_WITHIN_MS);
  });

  test("an engine that is ended from outside is no search without hits", async () => {
    const line = "needle in a haystack of hay\n";
    const { root, search } = await makeDesk({ a: line.repeat(150_000), b: line.repeat(150_000) }, setup());
    const query = { ...QUERY, root, pattern: "needle", maxScanHits: 10_000_000 };
    let ended = 0;
    const onHit = (): void => {
      if (ended === 0)
        for (const { pid } of programsAlive(/^(?:rg|grep)$/)) ended += Number(process.kill(pid, "SIGKILL"));
    };

    await expect(search.content(query, { ...LONG_ENOUGH, onHit })).rejects.toMatchObject({
      code: "ENGINE_UNAVAILABLE",
      message: expect.stringMatching(/it was ended by SIGKILL/) as string,
    });

    expect(ended).toBe(1);
  });

  test("xargs that fails, as where it can start nothing, is no search without hits", async () => {
    const { path = "", ...own } = setup();
    rmSync(`${path}/xargs`);
    symlinkSync("/bin/false", `${path}/xargs`);
    const { root, search } = await makeDesk({ a: "needle\n" }, { ...own, path });

    await expect(search.content({ ...QUERY, root, pattern: "needle", glob: ["*"] }, LONG_ENOUGH)).rejects.toMatchObject(
      {
        code: "ENGINE_UNAVAILABLE",
        message: expect.stringMatching(/^xargs/) as string,
      },
    );
  });

  test("a search that meets its deadline tells what it has until then", async () => {
    const { root, search } = await makeDesk({ a: "needle and more\n".repeat(3_000_000) }, setup());
    await search.engines();
    const query = { ...QUERY, root, pattern: "n.*e.*e.*d.*l.*e.*m.*r", maxScanHits: 100_000_000 };

    const found = await search.content(query, { deadlineMs: 60 });

    expect(found).toMatchObject({ exact: false, endedBy: "deadline" });
    expect(enginesAlive()).toEqual([]);
  });

  const many = LONG || name === ENGINES[0]?.name ? 1_000_000 : 200_000;
  test(`${many} hits are counted without being held`, { timeout: 180_000 }, async () => {
    const { root, search } = await makeDesk({ a: `needle ${"x".repeat(60)}\n`.repeat(many / 2) }, setup());
    writeFileSync(`${root}/b`, readFileSync(`${root}/a`));
    const query = { ...QUERY, root, pattern: "needle", maxScanHits: 10_000_000, maxKeptBytes: MiB };
    await search.content({ ...query, maxScanHits: 1000 }, LONG_ENOUGH);
    expect(enginesAlive()).toEqual([]);
    const before = process.memoryUsage.rss();
    let most = before;
    const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);

    const found = await search.content(query, LONG_ENOUGH);

    clearInterval(look);
    expect(found).toMatchObject({ total: many, exact: true });
    expect(found.kept).toBeLessThan(20_000);
    expect((most - before) / MiB).toBeLessThan(150);
  });

  test("fifty searches at once each find what one alone does", async () => {
    const root = freshFolder();
    const words = ["alpha", "beta", "gamma", "delta", "eps"];
    for (let nth = 0; nth < 60; nth += 1) await fill(root, { [`${nth % 7}/f${nth}`]: `${words[nth % 5]} ${nth}\n` });
    const { search } = openDesk([root], setup());
    const waysOf = (found: ContentFound): string[] => found.files.map(({ way }) => way).toSorted();
    const one = async (word: string): Promise<string[]> =>
      waysOf(await search.content({ ...QUERY, root, pattern: word }, LONG_ENOUGH));
    const alone = await Promise.all(words.map(one));

    const many = await Promise.all(Array.from({ length: 50 }, (_, nth) => one(words[nth % 5] as string)));

    expect(many).toEqual(Array.from({ length: 50 }, (_, nth) => alone[nth % 5]));
    expect(alone.map((ways) => ways.length)).toEqual([12, 12, 12, 12, 12]);
  });

  test("a tree that changes is searched as it is, without failure", async () => {
    const root = freshFolder();
    await fill(root, { "stays/a": "needle\n" });
    const { search } = openDesk([root], setup());
    const stop = churn(root);
    try {
      for (let nth = 0; nth < (LONG ? 300 : 15); nth += 1) {
        const { files } = await search.content({ ...QUERY, root, pattern: "needle" }, LONG_ENOUGH);
        expect(files.map(({ way }) => way)).toContain("stays/a");
      }
    } finally {
      await stop();
    }
  });
});

test("where in lines the matches are is no guess, where grep is ended that tells it", async () => {
  const path = folderOf([await findProgram("xargs")]);
  const own = `#!/bin/sh\ncase "$*" in -aonb*) kill -KILL $$ ;; esac\nexec ${await findProgram("grep")} "$@"\n`;
  writeFileSync(`${path}/grep`, own, { mode: 0o755 });
  const { root, search } = await makeDesk({ a: "a needle\n" }, { packagedRg: null, path });

  await expect(search.content({ ...QUERY, root, pattern: "n\\w+e" }, LONG_ENOUGH)).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringMatching(/it was ended by SIGKILL/) as string,
  });
});

test("a ripgrep that ends without a word, as if there were nothing, has not searched", async () => {
  const path = freshFolder();
  const own = `#!/bin/sh\ncase "$*" in *version*) exec ${PACKAGED_RG} "$@" ;; esac\nexit 1\n`;
  writeFileSync(`${path}/rg`, own, { mode: 0o755 });
  const { root, search } = await makeDesk({ a: "a needle\n" }, { packagedRg: `${path}/rg` });

  await expect(search.content({ ...QUERY, root, pattern: "needle" }, LONG_ENOUGH)).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringMatching(/without its summary/) as string,
  });
});

const LINE = fc.array(
  fc.constantFrom("a", "b", "ab", "A", "é", "É", "ß", " ", ".", "*", "\t", "-", "0", "\r", "(", "\\"),
  {
    maxLength: 8,
  },
);
const TEXT = fc.tuple(fc.array(LINE, { maxLength: 6 }), fc.boolean()).map(([lines, ends]) => {
  const text = lines.map((line) => line.join("")).join("\n");
  return ends && text !== "" ? `${text}\n` : text;
});
const NEEDLE = fc.constantFrom("a", "ab", "aA", "é", "ba", "a b", ".", "*", "(", "\\", "-", "0", "ß", "é.");

/** What a search for a text has to find, by a look at each line. */
function naive(texts: Readonly<Record<string, string>>, needle: string): string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines.flatMap((line, index) =>
      line.includes(needle) ? [`${name}:${index + 1}:${line.replace(/\r$/, "")}`] : [],
    );
  });
}

test.for(ENGINES)("$name finds in any texts what a look at each line does", { timeout: 120_000 }, async ({ setup }) => {
  const base = freshFolder();
  const { search } = openDesk([base], setup());
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom("x", "y", "d/z", "d/e/é"), TEXT), NEEDLE, async (texts, needle) => {
      const root = `${base}/${(turn += 1)}`;
      await fill(root, { ...texts, "there-is-something": "" });
      const { files, total } = await search.content({ ...QUERY, root, pattern: needle, literal: true }, LONG_ENOUGH);
      const found = files.flatMap(({ way, hits }) =>
        hits.map(({ line, text }) => `${Buffer.from(way, "latin1").toString("utf8")}:${line}:${text}`),
      );
      const all = naive(texts, needle);
      expect([total, found.toSorted()]).toEqual([all.length, all.toSorted()]);
    }),
    { numRuns: LONG ? 500 : 25 },
  );
});
