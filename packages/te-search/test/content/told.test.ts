import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fill, makeDesk, openDesk, freshFolder, PACKAGED_RG, QUERY } from "./desk.js";
import { ENGINES } from "./engines.js";

const LONG_ENOUGH = { deadlineMs: 60_000 };
const asRoot = process.getuid?.() === 0;

describe.for(ENGINES)("$name", ({ setup }) => {
  test("cuts a long line around its first match and says in which column that is", async () => {
    const { root, search } = await makeDesk({ "min.js": `${"é".repeat(3000)}needle${"b".repeat(500)}\n` }, setup());

    const { files } = await search.content({ ...QUERY, root, pattern: "needle", maxLineChars: 100 }, LONG_ENOUGH);

    const [hit] = files[0]?.hits ?? [];
    expect(hit).toMatchObject({ line: 1, column: 3001, offset: 0, cut: { before: 2975, after: 431 } });
    expect(hit?.spans.map(([from, to]) => hit.text.slice(from, to))).toEqual(["needle"]);
  });

  test("searches a file alone, whatever ignore rules and globs say of others", async () => {
    const { root, search } = await makeDesk({ ".gitignore": "*\n", "a/x.log": "needle\n", "a/y": "needle\n" }, setup());

    const alone = await search.content({ ...QUERY, root: `${root}/a/x.log`, pattern: "needle" }, LONG_ENOUGH);
    const below = await search.content({ ...QUERY, root, pattern: "needle" }, LONG_ENOUGH);

    expect(alone).toMatchObject({ total: 1, files: [{ way: "", path: `${root}/a/x.log`, hits: [{ line: 1 }] }] });
    expect(below).toMatchObject({ total: 0, exact: true, leftOut: { hidden: 0, ignored: 2 } });
  });

  test("files that hold a byte order mark and nothing else shift no hits of others", async () => {
    const wide = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
    const names = ["a", "b", "c", "d", "e", "f"];
    const contents = Object.fromEntries(names.map((name) => [name, wide(`one\n\nneedle ${name}\n`)]));
    const empty = { "0": wide(""), bb: wide(""), dd: "\uFEFF", z: wide("") };
    const { root, search } = await makeDesk({ ...contents, ...empty }, setup());

    const { total, files } = await search.content({ ...QUERY, root, pattern: "^needle|^$" }, LONG_ENOUGH);

    expect(total).toBe(12);
    const found = files.map(({ way, hits }) => `${way}: ${hits.map(({ line, text }) => `${line} ${text}`).join()}`);
    expect(found.toSorted()).toEqual(names.map((name) => `${name}: 2 ,3 needle ${name}`));
  });

  test.for([[""], ["sub/"], ["other/deep/"], ["", "other/", "sub/"]])(
    "a pipe in the place of ignore rules holds nothing up: below %j",
    async (folders) => {
      const tree = {
        "a.txt": "needle\n",
        "sub/b.txt": "needle\n",
        "sub/c.log": "needle\n",
        "other/deep/d.txt": "needle\n",
      };
      const { root, search } = await makeDesk({ ...tree, "sub/.ignore": "*.log\n", "e.bin": "needle\0" }, setup());
      for (const folder of folders) execFileSync("mkfifo", [`${root}/${folder}.gitignore`]);

      for (const from of [root, `${root}/sub`]) {
        const found = await search.content({ ...QUERY, root: from, pattern: "needle" }, LONG_ENOUGH);

        expect(found).toMatchObject({
          exact: true,
          endedBy: null,
          leftOut: { ignored: 1, binary: from === root ? 1 : 0 },
        });
        const ways = ["a.txt", "other/deep/d.txt", "sub/b.txt"].map((way) => `${root}/${way}`);
        const wanted = ways.filter((way) => way.startsWith(`${from}/`));
        expect([found.total, found.files.map(({ path }) => path).toSorted()]).toEqual([wanted.length, wanted]);
      }
    },
  );

  const HOLDING: Record<string, (root: string) => void> = {
    "a link to one": (root) => {
      execFileSync("mkfifo", [`${root}/pipe`]);
      symlinkSync("pipe", `${root}/.gitignore`);
    },
    "a link to one, below": (root) => {
      execFileSync("mkfifo", [`${root}/pipe`]);
      symlinkSync("../pipe", `${root}/sub/.ignore`);
    },
    "one in a repository": (root) => {
      mkdirSync(`${root}/.git/info`, { recursive: true });
      execFileSync("mkfifo", [`${root}/.git/info/exclude`]);
    },
    "one in a repository below": (root) => {
      mkdirSync(`${root}/sub/.git/info`, { recursive: true });
      execFileSync("mkfifo", [`${root}/sub/.git/info/exclude`]);
    },
  };

  test.for(Object.entries(HOLDING))("ignore rules cannot be had from a pipe: %s", async ([, hold]) => {
    const tree = { "a.txt": "needle\n", "sub/b.txt": "needle\n" };
    const { root, search } = await makeDesk(tree, setup());
    hold(root);

    for (const from of [root, `${root}/sub`]) {
      const { exact, files } = await search.content({ ...QUERY, root: from, pattern: "needle" }, LONG_ENOUGH);

      const wanted = from === root ? [`${root}/a.txt`, `${root}/sub/b.txt`] : [`${root}/sub/b.txt`];
      expect([exact, files.map(({ path }) => path).toSorted()]).toEqual([true, wanted]);
    }
  });

  test("of some files the first lines alone are told", async () => {
    const tree = { a: "needle\n".repeat(9), b: "needle 1\nhay\nneedle 2\n", "-c": "needle", d: "needle\n" };
    const { root, search } = await makeDesk(tree, setup());
    const among = { ways: ["a", "-c", "b", "gone"], linesOfEach: 3 };

    const { files } = await search.content({ ...QUERY, root, pattern: "needle", among }, LONG_ENOUGH);

    const told = files.map(({ way, hits }) => `${way} ${hits.map(({ line }) => line).join()}`);
    expect(told.toSorted()).toEqual(["-c 1", "a 1,2,3", "b 1,3"]);
  });

  test("a root may be all that there is", async () => {
    const { search } = openDesk(["/"], setup());

    const found = await search.content({ ...QUERY, root: "/", pattern: ".", maxScanHits: 1 }, LONG_ENOUGH);

    expect([found.total, found.endedBy]).toEqual([1, "scan bound"]);
  });

  test("hits over several lines that share lines name and count their file", async ({ skip }) => {
    const files = { a: "a {\n  return b {\n    return c\n  }\n}\nd {\n  return\n}\n", b: "{\n  return\n", c: "{ }\n" };
    const { root, search } = await makeDesk(files, setup());
    if ((await search.engines()).content?.startsWith("grep") === true) return skip("grep has no such hits");
    const asked = { ...QUERY, root, pattern: "\\{\\s+return", multiline: true };

    const [named, counted, told] = await Promise.all(
      (["files", "count", "lines"] as const).map((mode) => search.content({ ...asked, mode }, LONG_ENOUGH)),
    );

    expect(named).toMatchObject({ total: 2, exact: true });
    expect(named?.files.map(({ way, count }) => [way, count]).toSorted()).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    expect([counted?.total, told?.total]).toEqual([3, 3]);
  });

  test("a repository within another has its own rules alone", async () => {
    const tree = { "a.log": "needle\n", "a.txt": "needle\n", "x/y/a.log": "needle\n", "x/y/a.txt": "needle\n" };
    const inner = Object.fromEntries(Object.entries(tree).map(([name, text]) => [`inner/${name}`, text]));
    const { root, search } = await makeDesk(
      {
        ...tree,
        ...inner,
        ".git/HEAD": "",
        ".gitignore": "*.log\n",
        "inner/.git/info/exclude": "y/a.txt\nx/y/a.txt\n",
      },
      setup(),
    );
    const found = async (from: string): Promise<string[]> =>
      (await search.content({ ...QUERY, root: from, pattern: "needle" }, LONG_ENOUGH)).files
        .map(({ path }) => path.slice(root.length + 1))
        .toSorted();

    const ofInner = ["inner/a.log", "inner/a.txt", "inner/x/y/a.log"];
    expect(await found(root)).toEqual(["a.txt", ...ofInner, "x/y/a.txt"]);
    expect(await found(`${root}/inner`)).toEqual(ofInner);
    expect(await found(`${root}/inner/x`)).toEqual(["inner/x/y/a.log"]);
    expect(await found(`${root}/x`)).toEqual(["x/y/a.txt"]);
  });

  test("a rule that keeps all folders lets nobody into .git", async () => {
    const tree = { ".git/config": "needle\n", ".shown/a": "needle\n", b: "needle\n" };
    const { root, search } = await makeDesk(tree, setup());
    const found = async (): Promise<readonly [string[], number]> => {
      const { files, leftOut } = await search.content({ ...QUERY, root, pattern: "needle" }, LONG_ENOUGH);
      return [files.map(({ way }) => way).toSorted(), leftOut.hidden];
    };

    expect(await found()).toEqual([["b"], 2]);
    writeFileSync(`${root}/.gitignore`, "!*/\n");
    expect((await found())[0]).toEqual([".shown/a", "b"]);
  });

  test("a rule above that nobody can read is no error, and the others count", async () => {
    const rules = { ".gitignore": "\\\n[z-a]\n{a\nb.txt\n" };
    const { root, search } = await makeDesk({ ...rules, "sub/a.txt": "needle\n", "sub/b.txt": "needle\n" }, setup());

    for (const from of [root, `${root}/sub`]) {
      const found = await search.content({ ...QUERY, root: from, pattern: "needle" }, LONG_ENOUGH);
      const none = await search.content({ ...QUERY, root: from, pattern: "no such text" }, LONG_ENOUGH);

      expect(found).toMatchObject({ total: 1, exact: true, leftOut: { ignored: 1 } });
      expect(none).toMatchObject({ total: 0, exact: true, leftOut: { ignored: 1 } });
    }
  });

  test("a binary file that is searched alone is left out and counted", async () => {
    const { root, search } = await makeDesk({ "a.bin": "needle\0needle\n" }, setup());

    const found = await search.content({ ...QUERY, root: `${root}/a.bin`, pattern: "needle" }, LONG_ENOUGH);

    expect(found).toMatchObject({ total: 0, exact: true, leftOut: { binary: 1 } });
  });

  test("names that are no text are told so that they can be opened", async () => {
    const root = freshFolder();
    const strange = Buffer.from(`${root}/sub\xff`, "latin1");
    writeFileSync(strange, "needle\n");
    await fill(root, { "new\nline": "needle\n", "back\\slash": "needle\n", "-e": "needle\n", " space ": "needle\n" });
    const { search, files } = openDesk([root], setup());

    const found = await search.content({ ...QUERY, root, pattern: "needle" }, LONG_ENOUGH);

    expect(found.total).toBe(5);
    for (const { path } of found.files) await (await files.open(path)).close();
  });

  test("a root of any name is searched, and one that holds everything", async () => {
    const root = `${freshFolder()}/\u0142\u672c \u00e9`;
    await fill(root, { "sub/x": "needle\n" });
    const { search } = openDesk([root, "/"], setup());
    const query = { ...QUERY, pattern: "needle" };

    expect((await search.content({ ...query, root }, LONG_ENOUGH)).total).toBe(1);
    expect((await search.content({ ...query, root: `${root}/sub` }, LONG_ENOUGH)).total).toBe(1);
    const any = { ...query, root: "/", pattern: ".", maxScanHits: 1, mode: "files" } as const;
    expect((await search.content(any, LONG_ENOUGH)).total).toBe(1);
  });

  test("names that imitate what ripgrep tells are names", async () => {
    const told = "rg: DEBUG|ignore::walk|walk.rs:1";
    const binary = (way: string): string => `\n${told}: ignoring ${way}: found binary data at offset 9000\n${told}`;
    const { root, search } = await makeDesk(
      {
        found: "needle\n",
        ".hidden": "needle\n",
        [`.1${binary("found")}`]: "",
        [`.2${binary(".hidden")}`]: "",
        [`.3: Ignore(IgnoreMatch(Hidden))\n${told}: ignoring x: Ignore(IgnoreMatch(Gitignore))\n${told}`]: "",
        ".4\nrg: found: PCRE2: error matching: no\nrg: found: lost (os error 5)\nfailed": "",
      },
      setup(),
    );

    const found = await search.content({ ...QUERY, root, pattern: "needle" }, LONG_ENOUGH);

    expect(found.files.map(({ way }) => way)).toEqual(["found"]);
    expect(found).toMatchObject({
      total: 1,
      exact: true,
      leftOut: { hidden: 5, ignored: 0, binary: 0, unreadable: 0 },
    });
  });

  test.skipIf(asRoot)("what may not be read is counted", async () => {
    const contents = { shut: "needle\n", "also\nshut": "needle\n", open: "needle\n", "folder/x": "needle\n" };
    const { root, search } = await makeDesk(contents, setup());
    chmodSync(`${root}/shut`, 0);
    chmodSync(`${root}/also\nshut`, 0);
    chmodSync(`${root}/folder`, 0);

    const found = await search.content({ ...QUERY, root, pattern: "needle" }, LONG_ENOUGH);

    chmodSync(`${root}/folder`, 0o700);
    expect(found).toMatchObject({ total: 1, leftOut: { unreadable: 3 } });
  });

  test("credentials, our own state and what lies outside are never searched", async () => {
    const root = freshFolder();
    const outside = freshFolder();
    await fill(outside, { x: "needle\n" });
    await fill(root, { "state/db": "needle\n", ".ssh/id": "needle\n", x: "needle\n" });
    execFileSync("ln", ["-s", outside, `${root}/link`]);
    execFileSync("ln", [`${root}/state/db`, `${root}/hard`]);
    const { search } = openDesk([root], {
      ...setup(),
      files: { home: root, homes: [root], deny: [".ssh"], privatePaths: [`${root}/state`] },
    });
    const query = { ...QUERY, root, pattern: "needle", includeHidden: true, respectIgnore: false };

    const found = await search.content(query, LONG_ENOUGH);

    expect(found.files.map(({ way }) => way)).toEqual(["x"]);
  });

  test("the modes files and count tell no lines", async () => {
    const { root, search } = await makeDesk({ a: "needle\nneedle needle\n", b: "needle\n", c: "" }, setup());
    const told = async (mode: "files" | "count"): Promise<unknown> => {
      const { total, kept, files } = await search.content({ ...QUERY, root, pattern: "needle", mode }, LONG_ENOUGH);
      return { total, kept, files: Object.fromEntries(files.map(({ way, count }) => [way, count])) };
    };

    expect(await told("files")).toEqual({ total: 2, kept: 0, files: { a: 1, b: 1 } });
    expect(await told("count")).toEqual({ total: 3, kept: 0, files: { a: 2, b: 1 } });
  });

  test("beyond the scan bound hits are a lower bound, and what is not kept is counted", async () => {
    const { root, search } = await makeDesk({ a: "needle\n".repeat(5000), b: "needle\n".repeat(5000) }, setup());
    const query = { ...QUERY, root, pattern: "needle" };

    const bounded = await search.content({ ...query, maxScanHits: 700 }, LONG_ENOUGH);
    const unkept = await search.content({ ...query, maxKeptBytes: 10_000 }, LONG_ENOUGH);

    expect(bounded).toMatchObject({ total: 700, exact: false, endedBy: "scan bound" });
    expect(unkept).toMatchObject({ total: 10_000, exact: true, endedBy: null });
    expect(unkept.kept).toBeLessThan(5000);
  });
});

describe("over several lines", () => {
  const text = "function one(\n  a,\n  b,\n) {\n}\nfunction two() {}\n";

  test("only the files are told, whatever lies in their lines", { timeout: 20_000 }, async () => {
    for (const held of ["auto", "never"] as const) {
      const { root, search } = await makeDesk({ "a.ts": text, b: "xx\nyy\na\nzz\nb\n" }, { held });
      const query = { ...QUERY, root, pattern: "[^a]+", multiline: true, mode: "files" } as const;

      const found = await search.content(query, { deadlineMs: 5000 });

      expect(found).toMatchObject({ total: 2, exact: true });
      expect(found.files.map(({ count }) => count)).toEqual([1, 1]);
    }
  });

  test("ripgrep finds a pattern and a text with newlines", async () => {
    for (const held of ["auto", "never"] as const) {
      const { root, search } = await makeDesk({ "a.ts": text }, { held });
      const regex = { ...QUERY, root, pattern: "function \\w+\\([^)]*\\)", multiline: true };
      const literal = { ...QUERY, root, pattern: "a,\n  b", literal: true };

      const found = await search.content(regex, LONG_ENOUGH);

      expect(found.files[0]?.hits.map((hit) => [hit.line, hit.text])).toEqual([
        [1, "function one(\n  a,\n  b,\n) {"],
        [6, "function two() {}"],
      ]);
      expect((await search.content({ ...regex, mode: "count" }, LONG_ENOUGH)).total).toBe(2);
      expect((await search.content(literal, LONG_ENOUGH)).files[0]?.hits.map(({ line }) => line)).toEqual([2]);
    }
  });
});

test("the packaged ripgrep goes before one of the system, and that before grep", async () => {
  for (const { name, setup } of ENGINES) {
    const { search } = await makeDesk({}, setup());
    const { content, held } = await search.engines();
    expect([content, held]).toEqual([
      expect.stringMatching(
        name.startsWith("packaged")
          ? /^ripgrep \S+ \(packaged\)$/
          : name.startsWith("grep")
            ? /^grep \S+$/
            : /^ripgrep \S+$/,
      ),
      name.endsWith("in the cell") ? "bubblewrap" : "witness",
    ]);
  }
  const { search } = await makeDesk({}, { packagedRg: PACKAGED_RG });
  expect((await search.engines()).content).toMatch(/packaged/);
});
