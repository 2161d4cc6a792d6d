import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { settingsOf } from "@llmc/config";
import fc from "fast-check";
import { estimateTokens } from "@llmc/toolkit";
import { describe, expect } from "vitest";
import { openServices, VERSION, type LinuxOps } from "../../../src/index.js";
import { opsWith, test, textOf } from "../../helpers.js";

function plant(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

const CODE = {
  "src/user.ts": `import { Store } from "./store.js";

/** Somebody. */
export class User {
  constructor(readonly name: string) {}

  greet(): string {
    return this.name;
  }
}
`,
  "src/store.ts": `import { User } from "./user.js";

const users = new Map<string, User>();
export const find = (name: string): User | undefined => users.get(name);
`,
  "test/user.test.ts": 'import { User } from "../src/user.js";\n\ntest("greets", () => new User("a").greet());\n',
  "docs/users.md": "# Users\n\nA User has a name.\n",
};

test("returns hits with path, line and the lines around them", async ({ root, ops }) => {
  plant(root, { "a.txt": "one\ntwo\nthree needle\nfour\nfive\n" });
  expect(await ops.call("linux.search_content", { root, pattern: "needle", context_lines: 1 })).toEqual({
    hits: [{ path: join(root, "a.txt"), line: 3, first_line: 2, snippet: "two\nthree needle\nfour" }],
    total_hits: 1,
    truncated: false,
    handle: null,
    root,
    files: 1,
  });
});

test("the text is grouped by file, what defines the thing first", async ({ root }) => {
  plant(root, CODE);
  expect(
    await textOf(root, "linux.search_content", { root: ".", pattern: "User", context_lines: 0, ignore_case: false }),
  ).toBe(`[8 hits in 4 files]
src/user.ts
4: export class User {
docs/users.md
1: # Users
3: A User has a name.
src/store.ts
1: import { User } from "./user.js";
3: const users = new Map<string, User>();
4: export const find = (name: string): User | undefined => users.get(name);
test/user.test.ts
1: import { User } from "../src/user.js";
3: test("greets", () => new User("a").greet());`);
});

test("neighbours share what stands around them", async ({ root }) => {
  plant(root, { "a.txt": `${["a", "hit 1", "b", "hit 2", "c"].join("\n")}\n${"x\n".repeat(20)}hit 3\n` });
  expect(await textOf(root, "linux.search_content", { root, pattern: "hit", context_lines: 1 })).toBe(
    `[${root} · 3 hits in 1 file]
a.txt
1- a
2: hit 1
3- b
4: hit 2
5- c
--
25- x
26: hit 3`,
  );
});

test("a few hits have lines around them, many the line alone; the answer keeps all that was asked for", async ({
  root,
  ops,
}) => {
  const around = "a\nb\nc\nd\n";
  const uses = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, nth) => [`use-${nth}.ts`, `${around}use(thing);\n${around}`]));
  plant(root, uses(5));
  const text = (args: object = {}): Promise<string> =>
    textOf(root, "linux.search_content", { root, pattern: "thing", ...args });
  expect(await text()).toMatch(/^\[\S+ · 5 hits in 5 files\]\nuse-0\.ts\n2- b\n3- c\n4- d\n5: use\(thing\);\n6- a\n/);
  plant(root, uses(6));
  expect(await text()).toMatch(
    /^\[\S+ · 6 hits in 6 files · context_lines adds the lines around\]\nuse-0\.ts\n5: use\(thing\);\nuse-1\.ts\n/,
  );
  for (const args of [{ context_lines: 3 }, { before: 3, after: 3 }])
    expect(await text(args)).toMatch(/^\[\S+ · 6 hits in 6 files\]\nuse-0\.ts\n2- b\n[^]*\n8- c\nuse-1/);
  const { hits } = await ops.call("linux.search_content", { root, pattern: "thing" });
  expect(new Set(hits.map(({ snippet }) => snippet))).toEqual(new Set(["b\nc\nd\nuse(thing);\na\nb\nc"]));
});

test("lines around hits that do not all fit are told of, and no hit goes missing for them", async ({ root }) => {
  const long = `${"a line of some length that takes its room in an answer, as others do ".repeat(3)}\n`.repeat(4);
  const files = Array.from({ length: 60 }, (_, nth) => [`use-${nth}.ts`, `${long}use(thing);\n${long}`]);
  plant(root, Object.fromEntries(files) as Record<string, string>);
  const asked = { root, pattern: "thing", context_lines: 3 };
  const text = await textOf(root, "linux.search_content", asked);
  expect(text).toMatch(/^\[\S+ · 60 hits in 60 files · lines around the first \d+ hits only\]\n/);
  expect(text.match(/^5: use\(thing\);$/gm)).toHaveLength(60);
  expect(estimateTokens(text)).toBeLessThanOrEqual(5000);
  const more = await textOf(root, "linux.search_content", { ...asked, max_results: 101 });
  expect(more.split("\n")[0]).toBe(`[${root} · 60 hits in 60 files]`);
});

test("a definition that is the only hit is shown whole, with where it goes on if it is long", async ({ root, ops }) => {
  const long = Array.from({ length: 200 }, (_, nth) => `  call(${nth});\n`).join("");
  plant(root, {
    "src/a.ts": `/** Adds. */\nexport function add(a: number) {\n  if (a) {\n    return 1;\n  }\n\n  return a;\n}\n\nrest();\n`,
    "src/b.ts": `function endless() {\n${long}}\nrest();\n`,
  });
  const text = (pattern: string): Promise<string> => textOf(root, "linux.search_content", { root, pattern });
  expect(await text("function add")).toBe(`[${root} · 1 hit in 1 file]
src/a.ts
1- /** Adds. */
2: export function add(a: number) {
3-   if (a) {
4-     return 1;
5-   }
6- 
7-   return a;
8- }`);
  expect(await text("endless")).toMatch(
    new RegExp(`\\n120- {3}call\\(118\\);\\n… goes on: ${root}/src/b\\.ts#L121-L202$`),
  );
  const { hits } = await ops.call("linux.search_content", { root, pattern: "function add" });
  expect(hits[0]?.snippet.split("\n")).toHaveLength(5);
  expect(await ops.call("linux.search_content", { root, pattern: "function add", context_lines: 0 })).toMatchObject({
    hits: [{ snippet: "export function add(a: number) {" }],
  });
});

test("lines of a log that differ in numbers are folded in the text; each is shown on request", async ({
  root,
  ops,
}) => {
  const lines = Array.from({ length: 90 }, (_, nth) => `2026-01-31 10:00:${nth} request ${nth} took ${nth * 7} ms`);
  lines.splice(40, 0, "2026-01-31 10:00:40 request failed: disk is full");
  plant(root, { "app.log": `${lines.join("\n")}\n` });
  const text = (args: object = {}): Promise<string> =>
    textOf(root, "linux.search_content", { root, pattern: "request", ...args });
  expect(await text()).toBe(`[${root} · 91 hits in 1 file · similar lines folded; context_lines=0 shows each]
app.log
1: ${lines[0]}
… 88 more like it, up to line 90
41: ${lines[40]}
91: ${lines[90]}`);
  plant(root, { "app.log": `${"2026-01-31 request 1 took 2 ms\n".repeat(3000)}2026-02-01 request failed\n` });
  expect(await text()).toMatch(
    / · 100 of 3,001 hits in 1 file · similar[^]*\n3001: 2026-02-01 request failed\n…and in app\.log 2,901$/,
  );
  plant(root, { "app.log": `${lines.join("\n")}\n` });
  expect((await text({ context_lines: 0 })).split("\n")).toHaveLength(93);
  expect((await ops.call("linux.search_content", { root, pattern: "request" })).hits).toHaveLength(91);
});

test("a broken regex whose text occurs is searched as text, with a note; else it is refused", async ({ root, ops }) => {
  plant(root, { "a.ts": "x\ncall(foo\n" });
  expect(await textOf(root, "linux.search_content", { root, pattern: "call(foo", context_lines: 0 })).toBe(
    `[${root} · 1 hit in 1 file]
Not a valid regular expression (unclosed group); searched as plain text.
a.ts
2: call(foo`,
  );
  await expect(ops.call("linux.search_content", { root, pattern: "call(bar" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    hint: expect.stringContaining("literal: true") as string,
  });
});

test("path is taken for root, and without either the first root is searched", async ({ root, ops }) => {
  plant(root, { "a.ts": "hit\n", "src/b.ts": "hit\n" });
  const files = async (args: object): Promise<string[]> => [
    (await ops.call("linux.search_content", { pattern: "hit", ...args })).root,
    (await ops.call("linux.search_files", { pattern: "*.ts", ...args })).root,
  ];
  expect(await files({})).toEqual([root, root]);
  expect(await files({ path: "src" })).toEqual([join(root, "src"), join(root, "src")]);
  expect(await files({ path: "src", root: "src" })).toEqual([join(root, "src"), join(root, "src")]);
  await expect(files({ path: "src", root })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

describe("the text behind a handle", () => {
  async function handleOn(root: string, ops: LinuxOps, text: string): Promise<string> {
    plant(root, { kept: text });
    const { handle } = await ops.call("linux.fs_read", { path: join(root, "kept"), max_lines: 1 });
    return handle ?? "";
  }

  const lines = Array.from({ length: 500 }, (_, nth) => `line ${nth + 1}${nth % 100 === 41 ? " with a needle" : ""}`);

  test("is searched like a file, by its id or as the resource that it is", async ({ root, ops }) => {
    const handle = await handleOn(root, ops, `${lines.join("\r\n")}\r\n`);
    for (const name of [handle, `linuxops://handle/${handle}`]) {
      const found = await ops.call("linux.search_content", { root: name, pattern: "NEEDLE$", context_lines: 1 });
      expect(found).toMatchObject({ root: handle, total_hits: 5, files: 1, truncated: false });
      expect(found.hits[0]).toEqual({
        path: handle,
        line: 42,
        first_line: 41,
        snippet: "line 41\nline 42 with a needle\nline 43",
      });
    }
    const count = await ops.call("linux.search_content", { root: handle, pattern: "needle", mode: "count" });
    expect(count.hits).toEqual([{ path: handle, line: 0, snippet: "", count: 5 }]);
    expect(await ops.call("linux.search_content", { root: handle, pattern: "none" })).toMatchObject({ hits: [] });
  });

  test("gives way to a path of that name, and is only the session's own", async ({ root, ops }) => {
    const handle = await handleOn(root, ops, `${lines.join("\n")}\n`);
    const elsewhere = ops.call("linux.search_content", { root: handle, pattern: "needle" }, { session: "another" });
    await expect(elsewhere).rejects.toMatchObject({ code: "HANDLE_NOT_FOUND" });
    await expect(
      ops.call("linux.search_content", { root: handle, pattern: "needle", file_glob: "*.ts" }),
    ).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    plant(root, { [`${handle}/f`]: "needle\n" });
    expect((await ops.call("linux.search_content", { root: handle, pattern: "needle" })).root).toBe(join(root, handle));
  });
});

test("a byte order mark and carriage returns are no part of lines, nor in the way of what stands around them", async ({
  root,
}) => {
  plant(root, { "bom.txt": "\ufeffhit\nb\nhit\n", "crlf.txt": "a\r\nhit\r\nb\r\nc\r\n" });
  const text = (pattern: string, file: string): Promise<string> =>
    textOf(root, "linux.search_content", { root: `${root}/${file}`, pattern, context_lines: 1 });
  expect(await text("hit", "bom.txt")).toBe(`[${root}/bom.txt · 2 hits]\n1: hit\n2- b\n3: hit`);
  expect(await text("b", "bom.txt")).toBe(`[${root}/bom.txt · 1 hit]\n1- hit\n2: b\n3- hit`);
  expect(await text("hit\\r?\\nb", "crlf.txt")).toBe(`[${root}/crlf.txt · 1 hit]\n1- a\n2: hit\n3: b\n4- c`);
});

test("lines around hits are those of the file, however it is written", async ({ root, ops }) => {
  const words = fc.constantFrom("", "a", "hit", "a hit b", "é hit", "x".repeat(300), `hit ${"y".repeat(300)}`);
  const file = fc.record({
    lines: fc.array(words, { minLength: 1, maxLength: 30 }),
    end: fc.constantFrom("\n", "\r\n"),
    isEnded: fc.boolean(),
    encoding: fc.constantFrom("utf8" as const, "utf8 with a mark" as const, "utf16le" as const),
  });
  await fc.assert(
    fc.asyncProperty(file, fc.integer({ min: 0, max: 5 }), async ({ lines, end, isEnded, encoding }, context_lines) => {
      const text = lines.join(end) + (isEnded ? end : "");
      const marked = encoding === "utf8" ? text : `\ufeff${text}`;
      writeFileSync(join(root, "f"), Buffer.from(marked, encoding === "utf16le" ? "utf16le" : "utf8"));
      const { hits } = await ops.call("linux.search_content", { root, pattern: "hit", context_lines });
      const shown = new Map(
        hits.flatMap(({ line, first_line = line, snippet }) =>
          snippet.split("\n").map((each, at) => [first_line + at, each] as const),
        ),
      );
      const matching = lines.flatMap((line, at) => (line.includes("hit") ? [at + 1] : []));
      const wanted = lines.flatMap((line, at) =>
        matching.some((each) => Math.abs(each - at - 1) <= context_lines) ? [[at + 1, line] as const] : [],
      );
      // An empty rest after the last newline is not a line.
      const told = wanted.filter(([number, line]) => number < lines.length || isEnded || line !== "");
      expect([...shown.keys()]).toEqual(told.map(([number]) => number));
      for (const [number, line] of told)
        if (line.length <= 240) expect([number, shown.get(number)]).toEqual([number, line]);
        else expect(shown.get(number)).toMatch(/…\[\+\d+ chars\]$/);
    }),
    { numRuns: 60 },
  );
});

test("before and after are told apart, and exclude context_lines", async ({ root, ops }) => {
  plant(root, { "a.txt": "1\n2\n3\n4 hit\n5\n6\n7\n" });
  const snippet = async (args: object): Promise<string | undefined> =>
    (await ops.call("linux.search_content", { root, pattern: "hit", ...args })).hits[0]?.snippet;
  expect([await snippet({ before: 2 }), await snippet({ after: 1 }), await snippet({ before: 1, after: 1 })]).toEqual([
    "2\n3\n4 hit",
    "4 hit\n5",
    "3\n4 hit\n5",
  ]);
  expect([await snippet({}), await snippet({ context_lines: 0 })]).toEqual(["1\n2\n3\n4 hit\n5\n6\n7", "4 hit"]);
  await expect(snippet({ before: 1, context_lines: 2 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("the order of the files is the caller's to choose", async ({ root, ops }) => {
  plant(root, { "b.md": "hit\n", "a.ts": "hit\n", "c.ts": "function hit() {}\n" });
  const order = async (sort?: "path" | "mtime" | "none"): Promise<string[]> =>
    (await ops.call("linux.search_content", { root, pattern: "hit", ...(sort && { sort }) })).hits.map(({ path }) =>
      path.slice(root.length + 1),
    );
  expect(await order("path")).toEqual(["a.ts", "b.md", "c.ts"]);
  expect(await order()).toEqual(["c.ts", "a.ts", "b.md"]);
  for (const [nth, name] of ["b.md", "a.ts", "c.ts"].entries()) {
    const { utimesSync } = await import("node:fs");
    utimesSync(join(root, name), 1000 - nth, 1000 - nth);
  }
  expect(await order("mtime")).toEqual(["b.md", "a.ts", "c.ts"]);
  expect((await order("none")).toSorted()).toEqual(["a.ts", "b.md", "c.ts"]);
});

test("the modes files and count name files", async ({ root }) => {
  plant(root, { "a.txt": "hit\nhit\n", "b.txt": "hit\n", "c.txt": "" });
  const text = (mode: string): Promise<string> => textOf(root, "linux.search_content", { root, pattern: "hit", mode });
  expect(await text("files")).toBe(`[${root} · 2 files]\na.txt\nb.txt`);
  expect(await text("count")).toBe(`[${root} · 3 hits in 2 files]\na.txt: 2\nb.txt: 1`);
});

test("files with long names keep to the budget as well", async ({ root, ops }) => {
  const folder = Array.from({ length: 5 }, (_, nth) => `${nth}`.repeat(200)).join("/");
  plant(root, Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`${folder}/${nth}.txt`, "hit\n"])));
  for (const mode of ["files", "count"] as const) {
    const args = { root, pattern: "hit", mode };
    expect(estimateTokens(await textOf(root, "linux.search_content", args))).toBeLessThanOrEqual(6000);
    expect(await textOf(root, "linux.search_content", args)).toMatch(/^\[\S+ · (?:50 hits in )?\d\d of 50 files · /);
    const { hits, files, truncated, handle } = await ops.call("linux.search_content", args);
    expect([hits.length, files, truncated]).toEqual([50, 50, false]);
    expect(await everything(ops, handle)).toHaveLength(50);
    const all = await textOf(root, "linux.search_content", { ...args, max_results: 101 });
    expect(all.split("\n")).toHaveLength(51);
  }
});

test("types, globs and what is left out", async ({ root }) => {
  plant(root, {
    "a.ts": "hit\n",
    "b.py": "hit\n",
    ".env": "hit\n",
    ".gitignore": "*.log\n",
    "c.log": "hit\n",
    "d.bin": "hit\0",
  });
  const header = async (args: object): Promise<string> =>
    (await textOf(root, "linux.search_content", { root, pattern: "hit", context_lines: 0, ...args })).replaceAll(
      "\n",
      " ",
    );
  expect(await header({})).toBe(
    `[${root} · 2 hits in 2 files · left out: 1 ignored, 2 hidden, 1 binary] a.ts 1: hit b.py 1: hit`,
  );
  expect(await header({ type: "py" })).toMatch(/ b\.py 1: hit$/);
  expect(await header({ file_glob: "*.{ts,log}", respect_gitignore: false })).toMatch(/ a\.ts 1: hit c\.log 1: hit$/);
  expect(await header({ include_hidden: true })).toMatch(/^\S+ · 3 hits.* \.env 1: hit /);
});

test("nothing found says what was left out and how to include it, and what would find something", async ({ root }) => {
  plant(root, {
    "a.ts": "call(foo[0])\nUPPER\n",
    ".env": "secret\n",
    ".gitignore": "*.log\n",
    "c.log": "",
    "d.bin": "secret\0",
  });
  const text = (args: object): Promise<string> => textOf(root, "linux.search_content", { root, ...args });
  expect(await text({ pattern: "secret" })).toBe(
    `[${root} · no hits · left out: 1 ignored (searched when named as root), 2 hidden (include_hidden=true), 1 binary (grep -a)]`,
  );
  expect(await text({ pattern: "foo[0]" })).toMatch(/\nliteral=true finds it\.$/);
  expect(await text({ pattern: "upper", ignore_case: false })).toMatch(/\nignore_case=true finds it\.$/);
  expect(await text({ pattern: "call\\([^)]*\\)\\s+upper" })).toMatch(
    /\nOver several lines it finds something: pattern="call\\\\\((.*)\[\\\\s\\\\n\]\+upper"\.$/,
  );
  expect(await text({ pattern: "call", file_glob: "*.tsx" })).toMatch(/\nfile_glob "\*\.tsx" fits no file\.$/);
});

test("what is told to find something does", async ({ root, ops }) => {
  plant(root, {
    "src/a.ts": "one();\r\ntwo(1);\r\n",
    "src/[id].ts": "x\n",
    "LICENSE.txt": "x\n",
  });
  const hint = async (args: { pattern: string; file_glob?: string; literal?: boolean }): Promise<unknown> =>
    (await ops.call("linux.search_content", { root, ...args })).hint;
  expect(await hint({ pattern: "one();\ntwo(1)", literal: true })).toBe(
    String.raw`Lines end in CRLF; this finds it: literal=false, pattern="one\\(\\);\\r?\\ntwo\\(1\\)".`,
  );
  expect((await ops.call("linux.search_content", { root, pattern: "one\\(\\);\\r?\\ntwo\\(1\\)" })).total_hits).toBe(1);
  expect(await hint({ pattern: "one.*\\ntwo" })).toBe(
    String.raw`Lines end in CRLF; this finds it: pattern="one.*\\r?\\ntwo".`,
  );
  const globs = ["src", "src/", "ts", ".ts", "LICENSE", "[id].ts", "*.ts|*.js"];
  const others: string[] = [];
  for (const file_glob of globs) {
    const told = await hint({ pattern: "no such text", file_glob });
    const other = JSON.parse(/file_glob=(".*") does\.$/.exec(String(told))?.[1] ?? '""') as string;
    others.push(other);
    expect(
      (await ops.call("linux.search_content", { root, pattern: "x|one", file_glob: other })).total_hits,
    ).toBeGreaterThan(0);
  }
  expect(others).toEqual(["**/src/**", "**/src/**", "*.ts", "*.ts", "LICENSE*", String.raw`\[id\].ts`, "{*.ts,*.js}"]);
});

test("what does not fit is counted by file and kept behind a handle", async ({ root, ops }) => {
  const files = Array.from({ length: 40 }, (_, nth) => [`f${nth}.txt`, `some hit ${"word ".repeat(12)}\n`.repeat(30)]);
  plant(root, { ...(Object.fromEntries(files) as Record<string, string>), "z.ts": "export function hit() {}\n" });

  const answer = await ops.call("linux.search_content", { root, pattern: "hit" });
  const text = await textOf(root, "linux.search_content", { root, pattern: "hit" });

  expect([answer.total_hits, answer.truncated, answer.files]).toEqual([1201, true, 41]);
  expect(answer.hits[0]).toMatchObject({ path: join(root, "z.ts"), line: 1 });
  expect(estimateTokens(text)).toBeLessThanOrEqual(3000);
  expect(text).toMatch(/^\[.* · \d+ of 1,201 hits in 41 files · .*all: \S+\]\nz\.ts\n1: export function hit/);
  expect(text).toMatch(/\n…and in f\d+\.txt \d+, .* and? ?\d* ?more files|more files$/);
  const all = await everything(ops, answer.handle);
  expect(all).toHaveLength(1201);
  expect(all[0]).toMatchObject({ path: expect.stringContaining(root) as string, line: expect.any(Number) as number });
});

async function everything(ops: LinuxOps, handle: string | null): Promise<unknown[]> {
  let data = "";
  for (let offset: number | null = 0; offset !== null;) {
    const slice: { data: string; next_offset: number | null } = await ops.call("linux.handle_read", {
      handle: handle ?? "",
      offset,
      limit: 1_048_576,
    });
    data += slice.data;
    offset = slice.next_offset;
  }
  return JSON.parse(data) as unknown[];
}

test("beyond the scan bound the total is a lower bound and says so", async ({ root }) => {
  plant(root, { "a.txt": "hit\n".repeat(500) });
  const mcp = { linux_ops: { search: { max_scan_hits: 100 } } };
  const ops = opsWith(root, mcp);
  expect(await ops.call("linux.search_content", { root, pattern: "hit", max_results: 3 })).toMatchObject({
    total_hits: 100,
    lower_bound: true,
    ended_by: "scan bound",
    truncated: true,
  });
  await ops.close();
  expect(await textOf(root, "linux.search_content", { root, pattern: "hit", max_results: 3 }, mcp)).toMatch(
    /^\[.* · 3 of at least 100 hits in 1 file/,
  );
});

test("where only some hits could be kept those are shown, whatever the order", async ({ root }) => {
  const many = "a hit\n".repeat(4000);
  plant(root, Object.fromEntries(Array.from({ length: 40 }, (_, nth) => [`${nth}.txt`, many])));
  const mcp = { handles: { max_payload_bytes: 1_000_000 }, linux_ops: { search: { max_scan_hits: 1_000_000 } } };
  const ops = opsWith(root, mcp);
  for (let nth = 0; nth < 40; nth += 1) utimesSync(join(root, `${nth}.txt`), nth, 1000 - nth);
  const first = { path: ["0.txt", "1.txt", "10.txt"], mtime: ["0.txt", "1.txt", "2.txt"] };
  for (const sort of [undefined, "path", "mtime", "none"] as const) {
    const asked = { root, pattern: "hit", max_results: 3, ...(sort && { sort }) };
    const found = await ops.call("linux.search_content", asked);
    expect([sort, found.hits.length, found.total_hits, found.handle]).toEqual([sort, 3, 160_000, null]);
    const paths = found.hits.map(({ path }) => basename(path));
    if (sort === "path" || sort === "mtime") expect([sort, paths]).toEqual([sort, first[sort]]);
  }
  const last = { root, pattern: "hit", file_glob: "[0-2].txt", max_results: 20, sort: "mtime" } as const;
  const turns = (await ops.call("linux.search_content", last)).hits.map(
    ({ path, line }) => `${basename(path)}:${line}`,
  );
  const lines = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${name}:${at + 1}`);
  expect(turns).toEqual([...lines("0.txt", 7), ...lines("1.txt", 7), ...lines("2.txt", 6)]);
  await ops.close();
});

test("at its deadline a search answers with what it has, and says why that is not all", async ({ root }) => {
  const text20k = "a needle and more\n".repeat(20_000);
  plant(root, Object.fromEntries(Array.from({ length: 150 }, (_, nth) => [`${nth}.txt`, text20k])));
  const mcp = { tools: { read_timeout: 3 }, linux_ops: { search: { max_scan_hits: 100_000_000 } } };
  const ops = opsWith(root, mcp);
  const asked = { root, pattern: "n.*e.*e.*d.*l.*e.*m.*r", max_results: 3 };

  const found = await ops.call("linux.search_content", asked);
  const text = await textOf(root, "linux.search_content", asked, mcp);

  expect(found).toMatchObject({ truncated: true, lower_bound: true, ended_by: "deadline" });
  expect([found.hits.length, found.total_hits > 3]).toEqual([3, true]);
  expect(text).toMatch(/^\[.* · 3 of at least [\d,]+ hits in [\d,]+ files? · time was up · /);
  await ops.close();
});

test("a long line is cut around the hit and says in which column that is", async ({ root }) => {
  plant(root, { "min.js": `${"a".repeat(2000)}needle${"b".repeat(2000)}\n` });
  const text = await textOf(root, "linux.search_content", { root, pattern: "needle" });
  expect(text).toMatch(/\n1:2001: …a{60}needleb{174}…\[\+1826 chars\]$/);
});

test("one file is searched alone", async ({ root }) => {
  plant(root, { "a.txt": "hit\n", "b.txt": "hit\n" });
  expect(await textOf(root, "linux.search_content", { root: `${root}/a.txt`, pattern: "hit" })).toBe(
    `[${root}/a.txt · 1 hit]\n1: hit`,
  );
});

test("of a long hit over several lines the beginning is shown, and where it ends is told", async ({ root, ops }) => {
  const lines = Array.from({ length: 60 }, (_, nth) => `this is line ${nth + 1}`);
  plant(root, { "a.txt": `${lines.join("\n")}\n` });
  const asked = { root, pattern: "line 3$(?s:.*)line 50$|line 5[25]", multiline: true, context_lines: 1 };
  const { hits } = await ops.call("linux.search_content", asked);
  expect(hits.map(({ line, end_line, first_line }) => [line, end_line, first_line])).toEqual([
    [3, 50, 2],
    [52, undefined, 51],
    [55, undefined, undefined],
  ]);
  const shown = hits[0]?.snippet.split("\n") ?? [];
  expect(shown.slice(0, -1)).toEqual(lines.slice(1, shown.length));
  expect(shown.at(-1)).toMatch(/…\[\+\d+ chars\]$/);
  const text = await textOf(root, "linux.search_content", asked);
  const [before, after] = text.split(/…\[\+\d+ chars\]\n/);
  expect(before).toMatch(/\n2- this is line 2\n3:9: this is line 3\n4: /);
  expect(after).toBe(
    ["--", "51- this is line 51", "52: this is line 52", "53- this is line 53", "54- this is line 54"]
      .concat(["55: this is line 55", "56- this is line 56"])
      .join("\n"),
  );
});

test("a pattern with a newline spans lines; one that is no regular expression is refused with its reason", async ({
  root,
  ops,
}) => {
  plant(root, { "a.txt": "one\ntwo\nthree\n" });
  const found = await ops.call("linux.search_content", { root, pattern: "one\\ntwo", context_lines: 0 });
  expect(found.hits).toEqual([{ path: join(root, "a.txt"), line: 1, end_line: 2, snippet: "one\ntwo" }]);
  await expect(ops.call("linux.search_content", { root, pattern: "foo(" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("unclosed group") as string,
    hint: expect.stringContaining("literal: true") as string,
  });
});

test("without an engine it is said what to install, and health says so, too", async ({ root }) => {
  plant(root, { "a.txt": "hit\n" });
  const settings = settingsOf({ roots: [root] });
  const engines = { packagedRg: null, path: "/nonexistent" };
  const services = openServices({ settings, version: VERSION, log: null, engines });
  const session = { id: "s", agentId: "a", model: "m", token: "t", owner: "o" };
  const text = async (name: string, args: object): Promise<string> =>
    (await services.dispatcher.call(name, args, { session, entry: "library" })).text();
  await expect(text("linux.search_content", { root, pattern: "hit" })).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringContaining("neither ripgrep nor grep") as string,
    hint: expect.stringContaining("Install ripgrep") as string,
  });
  expect(await text("linux.search_files", { root, pattern: "a" })).toBe(`[${root} · 1 found]\na.txt`);
  expect(await text("health", {})).toMatch(/^content: missing\nnames: walk$/m);
  await services.close();
});
